import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "指示",
  sub: "すべてのチャットで、モデルがあなたについて知っておくべきことと、回答の仕方。",
  card: "自分の指示",
  label: "指示",
  placeholder: "港湾事務所で働いています。簡潔に答え、メートル法を使ってください。",
  hint: "モデルの指示の後、フォルダーやチャットの指示の前に渡されます。チャットごとに、パラメータでオフにできます。",
  failed: "指示を読み込めませんでした",
  notSaved: "指示を保存できませんでした",
  saved: "指示を保存しました。",
  notAllowed: "このアカウントでは指示を設定できません。管理者が許可できます。",
} satisfies AppTexts["settings/instructions"];
