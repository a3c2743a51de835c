import type { AppTexts } from "../../app-texts.ts";

export default {
  label: "ユーザー、モデル、チャンネル",
  people: "ユーザー",
  models: "モデル",
  channels: "チャンネル",
  model: "スレッドで回答",
  outside: "チャンネル外",
  loading: "検索中",
  none: "ここでメンションできる相手はいません",
  noChannels: "ここでメンションできるチャンネルはありません",
  failed: "ユーザーを読み込めませんでした",
  found: (count) => `${count}件`,
  begin: "メンションする",
} satisfies AppTexts["channels/mentions"];
