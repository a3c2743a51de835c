import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Responder a este mensaje con",
  label: "Modelos para este mensaje",
  found: (n) => plural(n, { one: "# modelo", other: "# modelos" }),
  next: (name) => `${name} responde a este mensaje`,
  remove: (name) => `No preguntar a ${name}`,
} satisfies AppTexts["chat/turn-model"];
