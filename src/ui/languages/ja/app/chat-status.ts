import type { AppTexts } from "../../app-texts.ts";
import { progressIn } from "../../progress.ts";
import { number, percent } from "../format.ts";

const progress = progressIn(number, percent);
const others = (more: number): string => (more > 0 ? `、ほか${number.format(more)}件` : "");
const named = (names: readonly string[], more: number): string => `${names.join("、")}${others(more)}`;

export default {
  searching: (names, more) => `${named(names, more)}を検索しています`,
  found: (passages, documents) =>
    `${number.format(documents)}件のドキュメントに${number.format(passages)}件のパッセージが見つかりました`,
  nothingFound: (names, more) => `${named(names, more)}では何も見つかりませんでした`,
  nothingToSearch: () => "検索するものがありませんでした",
  reading: (name, more, ...how) => `${name}${progress(...how)}${others(more)}を読み取っています`,
  preparing: (name, more, ...how) => `${name}${progress(...how)}${others(more)}を準備しています`,
  waitingFor: (name, more) => `${name}${others(more)}を待っています`,
  searchingWeb: () => "Webを検索しています",
  searchingWebFor: (queries) => `${queries.map((query) => `「${query}」`).join("、")}をWebで検索しています`,
  readingPages: (count) => `${number.format(count)}ページを読んでいます`,
  readPages: (count) => `${number.format(count)}ページを読みました`,
  readSomePages: (read, found) => `${number.format(found)}ページ中${number.format(read)}ページを読みました`,
  nothingOnWeb: () => "Webでは何も見つかりませんでした",
  makingPicture: () => "画像を作成しています",
  madePictures: (count) => `画像を${number.format(count)}枚作成しました`,
  changedPicture: () => "画像を変更しました",
  summarizing: () => "これまでのメッセージを要約しています",
  summarizedEarly: () => "会話がこのモデルには長くなりすぎる前に、これまでのメッセージを要約しました",
  summarizedLate: () => "会話がこのモデルには長すぎたため、これまでのメッセージを要約しました",
  notSummarized: () => "これまでのメッセージを要約できませんでした",
} satisfies AppTexts["chat/status"];
