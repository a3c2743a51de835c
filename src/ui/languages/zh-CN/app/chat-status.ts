import type { AppTexts } from "../../app-texts.ts";
import { progressIn } from "../../progress.ts";
import { number, percent } from "../format.ts";

const progress = progressIn(number, percent);
const others = (more: number): string => (more > 0 ? `等另外 ${number.format(more)} 个` : "");
const named = (names: readonly string[], more: number): string => `${names.join("、")}${others(more)}`;

export default {
  searching: (names, more) => `正在搜索 ${named(names, more)}`,
  found: (passages, documents) => `在 ${number.format(documents)} 个文档中找到 ${number.format(passages)} 个片段`,
  nothingFound: (names, more) => `在 ${named(names, more)} 中没有找到内容`,
  nothingToSearch: () => "没有可搜索的内容",
  reading: (name, more, ...how) => `正在读取 ${name}${progress(...how)}${others(more)}`,
  preparing: (name, more, ...how) => `正在准备 ${name}${progress(...how)}${others(more)}`,
  waitingFor: (name, more) => `正在等待 ${name}${others(more)}`,
  searchingWeb: () => "正在搜索网络",
  searchingWebFor: (queries) => `正在网络上搜索${queries.map((query) => `“${query}”`).join("、")}`,
  readingPages: (count) => `正在阅读 ${number.format(count)} 个网页`,
  readPages: (count) => `已阅读 ${number.format(count)} 个网页`,
  readSomePages: (read, found) => `已阅读 ${number.format(found)} 个网页中的 ${number.format(read)} 个`,
  nothingOnWeb: () => "在网络上没有找到内容",
  makingPicture: () => "正在生成图片",
  madePictures: (count) => `已生成 ${number.format(count)} 张图片`,
  changedPicture: () => "已修改图片",
  summarizing: () => "正在总结较早的消息",
  summarizedEarly: () => "对话对此模型来说快要过长，因此已总结较早的消息",
  summarizedLate: () => "对话对此模型来说过长，因此已总结较早的消息",
  notSummarized: () => "无法总结较早的消息",
} satisfies AppTexts["chat/status"];
