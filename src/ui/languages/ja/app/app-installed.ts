import type { AppTexts } from "../../app-texts.ts";

export default {
  answered: "回答が完了しました",
  question: "返答を待っている質問があります",
  mentioned: (name) => `${name}があなたをメンションしました`,
} satisfies AppTexts["app/installed"];
