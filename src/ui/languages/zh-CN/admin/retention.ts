import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "数据保留",
  sub: "此组织用户的数据保留天数。留空则使用设置中的默认值，0 表示永久保留。",
  name: "保留期限",
  fields: {
    chats: "对话",
    files: "文件",
    channel_messages: "频道消息",
    logs: "日志",
  },
  hints: {
    chats: "自最后一次更改起的天数。置顶和归档的对话也会移除。",
    files: "自上传起的天数。对话、频道、模型或知识库中的文件会保留。",
    channel_messages: "自发布起的天数。",
    logs: "模型调用、审计日志、Webhook 投递和存储的 API 响应。",
  },
  wrong: "请输入不超过 36,500 的整数天数，或留空。",
  saved: "已保存，期限将在一小时内生效。",
  preview: {
    action: "查看现在会移除什么",
    again: "重新统计",
    counting: "正在统计，可能需要一些时间。",
    failed: "无法统计将被移除的内容",
    nothing: "现在不会移除任何内容。",
    caption: "现在会移除的内容",
    columns: { kind: "内容", count: "数量", bytes: "大小", oldest: "最早" },
    kinds: {
      chats: "对话",
      files: "文件",
      channel_messages: "频道消息",
      calls: "模型调用",
      audit_events: "审计日志条目",
      deliveries: "Webhook 投递",
      responses: "存储的 API 响应",
    },
    count: (value) => number.format(value),
    fix: "请先更正数值。",
  },
} satisfies AdminTexts["admin/retention"];
