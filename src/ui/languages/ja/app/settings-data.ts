import type { AppTexts } from "../../app-texts.ts";
import { number, percent } from "../format.ts";

export default {
  title: "自分のデータ",
  sub: "チャットのエクスポートとインポート、共有内容の確認。",
  take: {
    title: "エクスポート",
    text: "すべてのチャットと分岐を1つのファイルでダウンロードします。ParleyまたはOpen WebUIにインポートできます。",
    action: "すべてのチャットをエクスポート",
    file: "parley-chats.json",
    notAllowed: "「チャットのエクスポート」権限が必要です。権限は管理者が付与できます。",
  },
  copy: {
    text: "または、あなたに関するすべてのデータをzipファイルでダウンロードします：チャット、ファイル、ナレッジ、プロンプト、チャンネルのメッセージ、使用状況、監査ログ。パスワードやキーは含まれません。中のチャットは下からインポートでき、その他は別のParleyの管理者がインポートできます。ダウンロードは一度に1件です。",
    action: "自分のデータをダウンロード",
    file: "parley-data.zip",
  },
  bring: {
    title: "インポート",
    text: "Parley、Open WebUI、LibreChatからエクスポートしたチャットのファイル、Parleyの自分のデータのzipファイル、またはChatGPTやClaudeから届くzipファイル。チャットは自分のチャットに追加されます。",
    action: "ファイルを選択",
    notAllowed: "「チャットのインポート」権限が必要です。権限は管理者が付与できます。",
    progress: (name, done) => `${name}：${percent.format(done)}`,
    stop: "停止",
    stopped: "停止しました。それまでにインポートしたチャットは一覧にあります。",
    failed: "ファイル全体をインポートできませんでした",
  },
  report: {
    imported: (chats, messages) =>
      `${number.format(chats)}件のチャット（メッセージ${number.format(messages)}件）をインポートしました。`,
    nothing: "このファイルにチャットはありません。",
    incomplete: "ファイルが不完全です。欠けている部分より前はすべてインポートしました。",
    messagesLeftOut: (value) => `${number.format(value)}件のメッセージを読み取れませんでした。`,
    messagesMoved: (value) =>
      `親メッセージのない${number.format(value)}件のメッセージは、それぞれ新しい分岐の始まりになりました。`,
    filesLeftOut: (value) => `${number.format(value)}個のファイルや画像は、このファイルに含まれていませんでした。`,
    foldersLeftOut: (value) => `フォルダーにあった${number.format(value)}件のチャットは、一覧に入りました。`,
    leftOut: (value) => `${number.format(value)}件のチャットをスキップしました：`,
    entry: (position, title, reason) => `${title === "" ? `チャット${number.format(position)}` : title}：${reason}`,
    more: (value) => `他${number.format(value)}件`,
  },
  kept: {
    title: "データの保持期間",
    failed: "データの保持期間を読み込めませんでした",
    forever: "自分で削除するまで。",
    chats: (days) => `チャットは、最後の変更から${number.format(days)}日後に削除されます。`,
    files: (days) =>
      `ファイルは、アップロードから${number.format(days)}日後に削除されます。チャット、チャンネル、ナレッジベースにあるものは除きます。`,
    channel_messages: (days) => `チャンネルのメッセージは、投稿から${number.format(days)}日後に削除されます。`,
    logs: (days) => `呼び出しの記録と保存されたAPI応答は、${number.format(days)}日後に削除されます。`,
  },
  shared: {
    title: "共有中のチャット",
    none: "共有中のチャットはありません。",
    failed: "共有中のチャットを読み込めませんでした",
    columns: { title: "チャット", who: "閲覧できるユーザー", when: "時点", actions: "操作" },
    who: { everyone: "全員", some: "選択したユーザー", home: "ここの全員", nobody: "自分のみ" },
    withdraw: "削除",
    withdrawOf: (title) => `（${title}のリンク）`,
    withdrawn: (title) => `「${title}」のリンクを削除しました。`,
    withdrawFailed: "リンクを削除できませんでした",
    more: "さらに表示",
  },
} satisfies AppTexts["settings/data"];
