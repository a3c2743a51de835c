import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "データ保持",
  sub: "この組織のユーザーのデータを保持する日数。空欄の場合は設定の既定値を使用します。0は無期限です。",
  name: "保持期間",
  fields: {
    chats: "チャット",
    files: "ファイル",
    channel_messages: "チャンネルのメッセージ",
    logs: "ログ",
  },
  hints: {
    chats: "最後の変更からの日数。ピン留めやアーカイブしたチャットも削除されます。",
    files: "アップロードからの日数。チャット、チャンネル、モデル、ナレッジベースにあるファイルは残ります。",
    channel_messages: "投稿からの日数。",
    logs: "モデルの呼び出し、監査ログ、Webhookの配信、保存されたAPI応答。",
  },
  wrong: "36,500日以内の整数を入力するか、空欄にしてください。",
  saved: "保存しました。1時間以内に適用されます。",
  preview: {
    action: "今削除されるものを確認",
    again: "再集計",
    counting: "集計中です。しばらくかかることがあります。",
    failed: "削除の対象を集計できませんでした",
    nothing: "今削除されるものはありません。",
    caption: "今削除されるもの",
    columns: { kind: "対象", count: "件数", bytes: "サイズ", oldest: "最も古いもの" },
    kinds: {
      chats: "チャット",
      files: "ファイル",
      channel_messages: "チャンネルのメッセージ",
      calls: "モデルの呼び出し",
      audit_events: "監査ログの記録",
      deliveries: "Webhookの配信",
      responses: "保存されたAPI応答",
    },
    count: (value) => number.format(value),
    fix: "先に値を修正してください。",
  },
} satisfies AdminTexts["admin/retention"];
