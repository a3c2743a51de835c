import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  more: (n) => `und ${number.format(n)} weitere`,
  counted: (word, n) => `${word} (${number.format(n)})`,
  open: "Öffnen",
  openOf: (text) => `Öffnen: ${text}`,
  picture: "Bild",
  details: "Details",
  links: "Links",
  via: (name) => `über ${name}`,
  showPicture: (name, host) => `Bild von ${name} anzeigen (${host})`,
} satisfies AppTexts["channels/cards"];
