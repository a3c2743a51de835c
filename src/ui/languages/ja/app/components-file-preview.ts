import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  pdf: (name) => `${name}のページ`,
  page: (page, of) => `${number.format(page)} / ${number.format(of)}ページ`,
  pageOnly: (page) => `${number.format(page)}ページ`,
  zoomIn: "拡大",
  zoomOut: "縮小",
  goTo: "ページ",
  pdfFailed: "ページを表示できませんでした。ファイルをダウンロードしてご覧ください。",
  pdfEncrypted: "このファイルはパスワードで保護されているため、ページを表示できません。",
  pageFailed: "このページを表示できませんでした。",
  text: (name) => `${name}のテキスト`,
  textFailed: "テキストを読み込めませんでした",
  earlier: "前のテキスト",
  later: "後のテキスト",
  noText: "このファイルにテキストはありません。",
  changed: "その後ファイルが再度読み取られたため、この箇所の位置が変わっている可能性があります。",
} satisfies AppTexts["components/file-preview"];
