import type { AppTexts } from "../../app-texts.ts";

export default {
  copy: "コピー",
  copied: "コピー済み",
  notCopied: "コピーできませんでした",
  copyCode: "コードをコピー",
  code: "コード",
  codeIn: (language) => `${language}のコード`,
  plainCode: "テキスト",
  table: "表",
  picture: (what, host) => (what ? `画像：${what}（${host}）` : `画像（${host}）`),
  pictureFrom: (host) => `提供元：${host}`,
  showPicture: (what, host) => (what ? `画像を表示：${what}（${host}）` : `画像を表示（${host}）`),
  showPictureHint: "Parleyが画像を取得します。相手のサイトにあなたの情報は伝わりません。",
  openPicture: "開く",
  openPictureOf: (host) => `${host}で画像を開く`,
  taskDone: "完了",
  taskOpen: "未完了",
} satisfies AppTexts["lib/markdown"];
