import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "メール",
  sub: "招待や新しいパスワード用のリンクを送るメールサーバー。設定しない場合は、管理者がリンクをコピーします。",
  on: "メールは送信されます。",
  off: "メールは送信されません。メールサーバーと差出人を設定してください。",
  pending: (count) => `${number.format(count)}通のメールが送信待ちです。`,
  failed: "設定を読み込めませんでした",
  stateFailed: "状態を読み込めませんでした",
  server: { title: "メールサーバー", sub: "テストする前に保存してください。" },
  password: {
    title: "パスワード",
    sub: "上記のユーザー名のパスワード。暗号化して保存され、表示されることはありません。",
    label: "パスワード",
    set: "パスワードは保存されています。新しいものを入力すると置き換わります。",
    none: "パスワードは保存されていません。",
    locked: "環境で設定されています（SMTP_PASSWORD）。",
    save: "パスワードを保存",
    remove: "パスワードを削除",
    saved: "パスワードを保存しました。",
    removed: "パスワードを削除しました。",
    failed: "パスワードを保存できませんでした",
    changes: "パスワード",
  },
  test: {
    title: "テスト",
    sub: "保存済みの設定で、今すぐメールを1通送信します。",
    to: "宛先",
    action: "テストメールを送信",
    wrong: "ada@harbour.exampleのようなメールアドレスを入力してください。",
    failed: "テストを実行できませんでした",
    sent: (to) =>
      `メールサーバーが${to}宛てのメッセージを受け付けました。受信トレイと迷惑メールフォルダーを確認してください。`,
    notSent: "メールは送信されませんでした",
    conversation: "通信内容の全体",
    parley: "Parley",
    server: "サーバー",
  },
  failures: {
    title: "未送信",
    sub: "過去7日間に送信を断念したメール。",
    kinds: { invitation: "招待", password_reset: "新しいパスワード" },
  },
} satisfies AdminTexts["admin/mail"];
