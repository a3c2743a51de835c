import type { AppTexts } from "../../app-texts.ts";
import { list, number } from "../format.ts";

const named = (names: readonly string[], others: number): string =>
  list.format(others > 0 ? [...names, `他${number.format(others)}人`] : names);

export default {
  channels: "チャンネル",
  direct: "ダイレクトメッセージ",
  untitled: "会話",

  rail: {
    add: "新しいチャンネルまたは会話",
    make: "新しいチャンネル",
    browse: "チャンネルを探す",
    write: "新しいメッセージ",
    all: "すべてのチャンネル",
    failed: "チャンネルを読み込めませんでした",
    empty: "チャンネルはここに表示されます。",
    unread: (n, isMore) => `未読${number.format(n)}件${isMore ? "以上" : ""}`,
    mentions: (n) => `あなたへのメンション${number.format(n)}件`,
    private: "プライベートチャンネル",
    public: "公開チャンネル",
    more: (n) => `${number.format(n)}+`,
  },

  home: {
    title: "チャンネル",
    lead: "チーム、ボット、モデルが話し合う場所です。",
    empty: "まだチャンネルに参加していません。チャンネルを探すか、最初のチャンネルを作成してください。",
    none: "メッセージはまだありません",
    people: (n) => `${number.format(n)}人`,
  },

  page: {
    loadFailed: "チャンネルを読み込めませんでした",
    messagesFailed: "メッセージを読み込めませんでした",
    notFound: "このチャンネルは存在しないか、プライベートでメンバーになっていません。",
    notAllowed:
      "このチャンネルを閲覧できるのはメンバーだけです。チャンネルのマネージャーがあなたを追加できます。管理者として、設定の変更は引き続き可能です。",
    switchedOff: "チャンネルは無効になっています。管理者が有効にできます。",
    noRight: "このアカウントではチャンネルを使用できません。管理者が許可できます。",
    others: "すべてのチャンネル",
    empty: (name) => `${name}の始まりです。最初のメッセージを書きましょう。`,
    emptyPreview: "メッセージはまだありません。",
    beginning: (name) => `${name}の始まり`,
    log: (name) => `${name}のメッセージ`,
    earlier: "以前のメッセージを表示",
    later: "以降のメッセージを表示",
    latest: "最新",
    newBelow: (n) => `新しいメッセージ${number.format(n)}件`,
    newLine: "新着",
    today: "今日",
    yesterday: "昨日",
    members: (n) => `メンバー${number.format(n)}人`,
    pins: "ピン留めしたメッセージ",
    search: "このチャンネル内を検索",
    settings: "チャンネルの設定",
    actions: "チャンネルのその他の操作",
    said: (name, text) => `${name}：${text}`,
    manySaid: (n) => `新しいメッセージ${number.format(n)}件`,
  },

  mention: {
    by: (name) => `${name}がスレッドであなたにメンションしました：`,
    more: (n) => `他${number.format(n)}件`,
  },

  preview: {
    text: (name) => `${name}をプレビューしています。参加するとメッセージが届きます。投稿しても参加になります。`,
    join: "チャンネルに参加",
    failed: "チャンネルに参加できませんでした",
  },

  composer: {
    label: (name) => `${name}へのメッセージ`,
    labelThread: "このスレッドに返信",
    placeholder: (name) => `${name}へ書き込む`,
    placeholderThread: "返信",
    attach: "ファイルを添付",
    quoting: (name) => `${name}を引用中`,
    dropQuote: "引用を外す",
    tooLong: (over) => `メッセージが${number.format(over)}文字長すぎます。短くするか、ファイルとして添付してください。`,
  },

  message: {
    edited: "編集済み",
    pinned: "ピン留め",
    deleted: "このメッセージは削除されました。",
    bot: "Webhook",
    service: "サービスアカウント",
    model: "モデル",
    streaming: "が入力中",
    failed: "モデルが回答しませんでした",
    sending: "送信中",
    waiting: "接続待ち",
    notSent: "未送信",
    again: "再送信",
    discard: "破棄",
    from: (name, when) => `${name}、${when}`,
    replies: (n) => `返信${number.format(n)}件`,
    latestReply: "最新",
    quoted: (name) => `${name}への返信`,
    quoteGone: "削除されたメッセージへの返信",
    showAll: "すべて表示",
    showLess: "折りたたむ",
  },

  actions: {
    label: (name) => `${name}のメッセージの操作`,
    react: "リアクション",
    quote: "引用",
    thread: "スレッドで返信",
    edit: "編集",
    pin: "チャンネルにピン留め",
    unpin: "ピン留め解除",
    copy: "テキストをコピー",
    copyLink: "リンクをコピー",
    remove: "削除",
    stop: "回答を停止",
    regenerate: "再生成",
    copied: "コピーしました。",
    failed: "操作できませんでした。メッセージは変更されていません。",
    notCopied: "ブラウザーがコピーをブロックしました。",
  },

  remove: {
    title: "このメッセージを削除しますか？",
    text: "チャンネルの全員の画面から削除されます。",
    textThread: "本文が全員の画面から削除されます。返信は残ります。",
    action: "メッセージを削除",
    failed: "メッセージを削除できませんでした",
  },

  edit: {
    label: "メッセージを編集",
    save: "保存",
    cancel: "キャンセル",
    hint: "Escキーでキャンセル、Enterキーで保存します。",
    failed: "変更を保存できませんでした",
  },

  reactions: {
    label: "リアクション",
    choose: "リアクションを選択",
    more: "リアクションを追加",
    by: (emoji, names, others) => `${emoji} ${named(names, others)}`,
    you: "あなた",
  },

  thread: {
    title: "スレッド",
    failed: "スレッドを読み込めませんでした",
    gone: "このメッセージはすでに存在しません。",
    none: "返信はまだありません。",
    replies: (n) => `返信${number.format(n)}件`,
    log: "返信",
  },

  pins: {
    title: "ピン留めしたメッセージ",
    none: "ピン留めしたメッセージはありません。後で見返したいメッセージをピン留めしてください。",
    failed: "ピン留めしたメッセージを読み込めませんでした",
    show: "チャンネルで表示",
    more: "さらに表示",
  },

  search: {
    title: "検索",
    label: "このチャンネル内を検索",
    hint: "メッセージ内の語を入力してください。",
    none: (query) => `「${query}」に一致するメッセージはありません。`,
    failed: "検索できませんでした",
    results: (n) => `${number.format(n)}件のメッセージが見つかりました`,
    inThread: "スレッド内",
    palette: "チャンネルのメッセージ",
    paletteChannels: "チャンネル",
  },

  panels: { members: "メンバー", webhooks: "Webhook", file: "ファイル" },

  typing: (names, others) => `${named(names, others)}が入力中`,

  keys: {
    group: "チャンネル",
    send: "送信",
    newline: "改行",
    editLast: "最後のメッセージを編集（入力欄が空のとき）",
    close: "スレッドまたはパネルを閉じる",
  },
} satisfies AppTexts["channels"];
