import type { AppTexts } from "../../app-texts.ts";

export default {
  answered: "Votre réponse est prête",
  question: "Une question vous attend",
  mentioned: (name) => `${name} vous a mentionné`,
} satisfies AppTexts["app/installed"];
