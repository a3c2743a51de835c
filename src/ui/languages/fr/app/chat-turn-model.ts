import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Répondre à ce message avec",
  label: "Modèles pour ce message",
  found: (n) => plural(n, { one: "# modèle", other: "# modèles" }),
  next: (name) => `${name} répond à ce message`,
  remove: (name) => `Ne pas interroger ${name}`,
} satisfies AppTexts["chat/turn-model"];
