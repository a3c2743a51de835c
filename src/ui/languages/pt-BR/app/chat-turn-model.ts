import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Responder a esta mensagem com",
  label: "Modelos para esta mensagem",
  found: (n) => plural(n, { one: "# modelo", other: "# modelos" }),
  next: (name) => `${name} responde a esta mensagem`,
  remove: (name) => `Não perguntar a ${name}`,
} satisfies AppTexts["chat/turn-model"];
