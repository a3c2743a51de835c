import type { AppTexts } from "../../app-texts.ts";

export default {
  answered: "Sua resposta está pronta",
  question: "Uma pergunta espera por você",
  mentioned: (name) => `${name} mencionou você`,
} satisfies AppTexts["app/installed"];
