import type { AppTexts } from "../../app-texts.ts";

export default {
  label: "用户、模型和频道",
  people: "用户",
  models: "模型",
  channels: "频道",
  model: "在话题中回答",
  outside: "不在频道中",
  loading: "正在搜索",
  none: "这里没有可提及的人",
  noChannels: "这里没有可提及的频道",
  failed: "无法加载用户",
  found: (count) => `${count} 个名称`,
  begin: "提及某人",
} satisfies AppTexts["channels/mentions"];
