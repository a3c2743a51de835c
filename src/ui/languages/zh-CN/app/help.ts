import type { AppTexts } from "../../app-texts.ts";

export default {
  back: "返回对话",
  title: "帮助",
  sub: "Parley 的工作方式，供使用、运维和扩展它的人参考。",
  all: "所有页面",
  search: "搜索帮助",
  searchFailed: "无法搜索帮助",
  none: (query) => `没有页面包含“${query}”。`,
  failed: "无法加载页面",
  missing: "此地址没有帮助页面。",
  contents: "本页内容",
} satisfies AppTexts["help"];
