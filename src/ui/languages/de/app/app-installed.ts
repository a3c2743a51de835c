import type { AppTexts } from "../../app-texts.ts";

export default {
  answered: "Ihre Antwort ist fertig",
  question: "Eine Frage wartet auf Sie",
  mentioned: (name) => `${name} hat Sie erwähnt`,
} satisfies AppTexts["app/installed"];
