import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  title: "2要素認証",
  sub: "パスワードに加えて、スマートフォンのアプリのコードを使います。パスワードだけでは誰もサインインできなくなります。",
  failed: "2要素認証を読み込めませんでした",
  required: {
    title: "2要素認証を設定",
    sub: "このアカウントでは必須です。スマートフォンの認証アプリを使い、1分ほどで設定できます。",
    signOut: "サインアウト",
  },
  sso: "IDプロバイダー経由でサインインしています。2要素認証を求めるかどうかは、IDプロバイダーが決めます。",
  app: {
    title: "認証アプリ",
    off: "未設定です。",
    on: "パスワードでのサインイン時に、アプリのコードが必要です。",
    since: "設定日",
    password: "あなたのパスワード",
    start: "設定",
    startFailed: "設定を開始できませんでした",
    wrongPassword: "パスワードが正しくありません。",
    scan: "認証アプリでこの画像を読み取り、表示されたコードを入力してください。",
    picture: "認証アプリ用のQRコード",
    secret: "または、このキーをアプリに入力",
    code: "コード",
    codeHint: "6桁の数字。",
    confirm: "完了",
    confirmFailed: "設定を完了できませんでした",
    wrongCode: "コードが正しくないか、すでに使用されています。次のコードをお待ちください。",
    missing: "コードを入力してください。",
    remove: "解除",
    removeTitle: "2要素認証を解除しますか？",
    removeText: "再びパスワードだけでサインインできるようになります。",
    removed: "2要素認証を解除しました。",
    removeFailed: "2要素認証を解除できませんでした",
    anyCode: "アプリのコードまたはリカバリーコード",
    needed: "このアカウントでは2要素認証が必須のため、解除できません。",
  },
  recovery: {
    title: "リカバリーコード",
    left: (count) =>
      count === 0
        ? "コードが残っていません。新しく作成してください。"
        : `残りのコードは${number.format(count)}個です。`,
    what: "スマートフォンを紛失したとき、1つのコードで1回サインインできます。",
    show: "パスワードマネージャーなど、安全な場所に保管してください。表示は1回限りです。",
    codes: "リカバリーコード",
    renew: "新しいコードを作成",
    renewTitle: "新しいリカバリーコードを作成しますか？",
    renewText: "現在のコードは使えなくなります。",
    renewFailed: "コードを作成できませんでした",
    saved: "保存しました",
  },
} satisfies AppTexts["settings/second-factor"];
