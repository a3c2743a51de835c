import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  more: (n) => `另外 ${number.format(n)} 个`,
  counted: (word, n) => `${word}（${number.format(n)}）`,
  open: "打开",
  openOf: (text) => `打开：${text}`,
  picture: "图片",
  details: "详细信息",
  links: "链接",
  via: (name) => `通过 ${name}`,
  showPicture: (name, host) => `显示来自 ${host} 的 ${name} 图片`,
} satisfies AppTexts["channels/cards"];
