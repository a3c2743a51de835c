import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  invite: "招待",
  card: "招待",
  table: "招待",
  columns: { who: "対象", role: "ロール", from: "招待者", ends: "有効期限", state: "状態", actions: "操作" },
  anyone: "リンクを知っている人",
  roles: { user: "メンバー", admin: "管理者" },
  states: {
    open: "有効",
    void: "無効",
    used: "使用済み",
    expired: "期限切れ",
    revoked: "取り消し済み",
  },
  usedBy: (name) => `${name}が使用`,
  voidHint: "招待に必要なものが変わりました。グループや組織がなくなったか、招待した人に招待する権限がなくなりました。",
  failed: "招待を読み込めませんでした",
  takeBack: "取り消す",
  takeBackOf: (who) => `（${who}への招待）`,
  takeBackTitle: "招待を取り消しますか？",
  takeBackText: "リンクはすぐに使えなくなります。",
  takeBackFailed: "招待を取り消せませんでした",
  takenBack: "招待を取り消しました。",
  dialog: {
    title: "ユーザーを招待",
    text: "アカウントを1つ作成できるリンクが発行されます。名前とパスワードは本人が決めます。",
    email: "メールアドレス（任意）",
    emailHint: "アドレスごとに、そのアドレスだけが使えるリンクが発行されます。カンマ、空白、改行で区切ってください。",
    emailWrong: "ada@harbour.exampleのようなメールアドレスを入力してください。",
    tooMany: (most) => `一度に招待できるのは${number.format(most)}件までです。`,
    refused: (lines) => `次のアドレスは招待されませんでした。\n${lines}`,
    reasons: {
      invalid_email: "メールアドレスではありません",
      email_taken: "すでにアカウントがあります",
      limit_reached: "未使用の招待が多すぎます",
    },
    send: "リンクをメールで送信",
    role: "ロール",
    organization: "組織",
    byRules: "割り当てルールに従う",
    groups: "グループ",
    searchGroups: "グループを検索",
    chosen: (count) => (count === 0 ? "グループ未選択" : `${number.format(count)}個選択中`),
    noGroups: "グループはありません。",
    days: "リンクの有効期間",
    dayCount: (count) => `${number.format(count)}日`,
    action: (count) => (count < 2 ? "招待を作成" : `招待を${number.format(count)}件作成`),
    failed: "招待を作成できませんでした",
    madeTitle: (count) =>
      count === 1 ? "招待の準備ができました" : `${number.format(count)}件の招待の準備ができました`,
    sent: (emails) =>
      emails.length === 1
        ? `リンクを記載したメールを${emails[0]}に送信しています。リンクをコピーすることもできます。`
        : `リンクを記載したメールを${number.format(emails.length)}人に送信しています。リンクをコピーすることもできます。`,
    copy: (count) =>
      count === 1
        ? "このリンクを本人に送ってください。表示も使用も1回限りです。"
        : "それぞれのリンクを、その前に書かれた人に送ってください。表示は1回限りで、各リンクの使用も1回限りです。",
    link: () => "リンク",
    done: "完了",
  },
  reset: {
    action: "新しいパスワード用のリンク",
    title: (name) => `${name}の新しいパスワード`,
    text: "本人が新しいパスワードを決めるためのリンクが発行されます。1日間、1回だけ使えます。使用すると、アカウントのすべてのセッションが終了します。",
    make: "リンクを作成",
    failed: "リンクを作成できませんでした",
    ready: "このリンクを安全な方法で本人に送ってください。表示は1回限りです。",
    link: "リンク",
    done: "完了",
  },
} satisfies AdminTexts["admin/people/invitations"];
