import type { AppTexts } from "../../app-texts.ts";

export default {
  answered: "اكتملت إجابتك",
  question: "سؤال ينتظر ردّك",
  mentioned: (name) => `أشار إليك ${name}`,
} satisfies AppTexts["app/installed"];
