import type { AppTexts } from "../../app-texts.ts";

export default {
  back: "チャットに戻る",
  title: "ヘルプ",
  sub: "Parleyの仕組み。利用する方、運用する方、拡張する方のために。",
  all: "すべてのページ",
  search: "ヘルプを検索",
  searchFailed: "ヘルプを検索できませんでした",
  none: (query) => `「${query}」を含むページはありません。`,
  failed: "ページを読み込めませんでした",
  missing: "このアドレスにヘルプページはありません。",
  contents: "このページの内容",
} satisfies AppTexts["help"];
