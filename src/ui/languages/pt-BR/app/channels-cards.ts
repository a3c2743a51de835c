import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  more: (n) => `e mais ${number.format(n)}`,
  counted: (word, n) => `${word} (${number.format(n)})`,
  open: "Abrir",
  openOf: (text) => `Abrir: ${text}`,
  picture: "Imagem",
  details: "Detalhes",
  links: "Links",
  via: (name) => `via ${name}`,
  showPicture: (name, host) => `Mostrar a imagem de ${name}, de ${host}`,
} satisfies AppTexts["channels/cards"];
