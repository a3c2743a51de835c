import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "网页搜索",
  sub: "用于答案在网上的问题。由用户在对话中开启。",
  failed: "无法加载设置",
  settings: { title: "提供商和网页", sub: "提供商只会收到搜索词，不会收到对话的其他内容。" },
  engines: {
    "": "无",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "自己的提供商（JSON）",
    mcp: "MCP 服务器的工具",
  },
  none: "无",
  trial: {
    title: "试用",
    sub: "使用上面已保存的提供商。",
    query: "搜索词",
    standard: "港口的开放时间",
    test: "搜索",
    testing: "正在搜索",
    testStale: "搜索词已更改，请重新搜索。",
    testFailed: "搜索失败",
    found: (count, milliseconds) =>
      count === 0
        ? "提供商有响应，但在允许的网站上没有找到结果。"
        : `${number.format(count)} 条结果，用时 ${number.format(milliseconds)} 毫秒：`,
    missing: "请输入搜索词。",
  },
} satisfies AdminTexts["admin/web-search"];
