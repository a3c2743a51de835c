import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Diese Nachricht beantworten mit",
  label: "Modelle für diese Nachricht",
  found: (n) => plural(n, { one: "# Modell", other: "# Modelle" }),
  next: (name) => `${name} beantwortet diese Nachricht`,
  remove: (name) => `${name} nicht fragen`,
} satisfies AppTexts["chat/turn-model"];
