import type { AppTexts } from "../../app-texts.ts";
import { de, number, plural } from "../format.ts";

export default {
  more: (n) => plural(n, { one: "et # autre", other: "et # autres" }),
  counted: (word, n) => `${word} (${number.format(n)})`,
  open: "Ouvrir",
  openOf: (text) => `Ouvrir : ${text}`,
  picture: "Image",
  details: "Détails",
  links: "Liens",
  via: (name) => `via ${name}`,
  showPicture: (name, host) => `Afficher l’image ${de(name)} (${host})`,
} satisfies AppTexts["channels/cards"];
