import type { AppTexts } from "../../app-texts.ts";

export default {
  answered: "Tu respuesta está lista",
  question: "Una pregunta te espera",
  mentioned: (name) => `${name} te ha mencionado`,
} satisfies AppTexts["app/installed"];
