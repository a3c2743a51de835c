import type { AppTexts } from "../../app-texts.ts";

export default {
  answered: "回答已完成",
  question: "有问题在等待你回复",
  mentioned: (name) => `${name} 提到了你`,
} satisfies AppTexts["app/installed"];
