import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  more: (n) => `و${number.format(n)} غيرها`,
  counted: (word, n) => `${word} (${number.format(n)})`,
  open: "فتح",
  openOf: (text) => `فتح: ${text}`,
  picture: "صورة",
  details: "التفاصيل",
  links: "الروابط",
  via: (name) => `عبر ${name}`,
  showPicture: (name, host) => `عرض صورة ${name} من ${host}`,
} satisfies AppTexts["channels/cards"];
