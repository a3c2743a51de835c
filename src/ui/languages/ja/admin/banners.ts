import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "バナー",
  sub: "サインインしている全員に、すべてのページの上部で表示するお知らせ。",
  none: "バナーはありません。",
  add: "バナーを追加",
  failed: "バナーを読み込めませんでした",
  notSaved: "バナーを保存できませんでした",
  saved: "バナー：保存しました。次にページを開くか再読み込みすると表示されます。",
  changes: "バナー",
  of: (n) => `バナー${n}`,
  type: "種類",
  types: { info: "情報", success: "良いお知らせ", warning: "警告", error: "問題" },
  heading: "タイトル（任意）",
  content: "テキスト",
  contentHint: "**太字**や[リンク](https://example.com)などのMarkdownを使えます。",
  missing: "バナーの内容を入力してください。",
  dismissible: "ユーザーが閉じられる",
  dismissibleHint: "内容を変更すると、再び表示されます。",
  remove: (n) => `バナー${n}を削除`,
  up: (n) => `バナー${n}を上へ移動`,
  down: (n) => `バナー${n}を下へ移動`,
} satisfies AdminTexts["admin/banners"];
