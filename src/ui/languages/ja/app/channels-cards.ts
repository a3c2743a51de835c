import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  more: (n) => `他${number.format(n)}件`,
  counted: (word, n) => `${word}（${number.format(n)}）`,
  open: "開く",
  openOf: (text) => `開く：${text}`,
  picture: "画像",
  details: "詳細",
  links: "リンク",
  via: (name) => `${name}経由`,
  showPicture: (name, host) => `${name}の画像を${host}から表示`,
} satisfies AppTexts["channels/cards"];
