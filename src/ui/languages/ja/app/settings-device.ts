import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "このデバイス",
  sub: "このブラウザーだけの設定。",
  notifications: "ブラウザーの通知",
  notificationsSub: "Parleyを見ていないときに表示されます。許可するかどうか、ブラウザーが1回確認します。",
  kinds: {
    answers: { label: "回答の完了", hint: "見ていないタブでモデルの回答が完了したとき。" },
    mentions: { label: "チャンネルでのメンション", hint: "誰かがあなたの名前を書いたとき。" },
    questions: { label: "返答待ちの質問", hint: "プラグインの続行にあなたの返答が必要なとき。" },
  },
  denied:
    "ブラウザーがこのサイトの通知をブロックしています。ブラウザーのこのサイトの設定で許可してから、ページを再読み込みしてください。",
  unsupported: "このブラウザーでは、このサイトの通知を表示できません。",
  app: "インストール版アプリ",
  appSub:
    "Parleyを専用のウィンドウで開き、アイコンに未読数を表示します。他のアプリからテキストやファイルを共有できます。",
  install: "Parleyをインストール",
  installed: "Parleyはインストール版アプリとして動作しています。",
  manual: "ブラウザーのメニューで「インストール」または「ホーム画面に追加」を選択してください。",
} satisfies AppTexts["settings/device"];
