import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  more: (n) => `y ${number.format(n)} más`,
  counted: (word, n) => `${word} (${number.format(n)})`,
  open: "Abrir",
  openOf: (text) => `Abrir: ${text}`,
  picture: "Imagen",
  details: "Detalles",
  links: "Enlaces",
  via: (name) => `mediante ${name}`,
  showPicture: (name, host) => `Mostrar la imagen de ${name} desde ${host}`,
} satisfies AppTexts["channels/cards"];
