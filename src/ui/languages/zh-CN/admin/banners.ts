import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "公告",
  sub: "显示在每个页面顶部的通知，所有已登录的人都能看到。",
  none: "没有公告。",
  add: "添加公告",
  failed: "无法加载公告",
  notSaved: "无法保存公告",
  saved: "公告：已保存。用户下次打开或重新加载页面时会看到。",
  changes: "公告",
  of: (n) => `公告 ${n}`,
  type: "类型",
  types: { info: "信息", success: "好消息", warning: "警告", error: "问题" },
  heading: "标题（可选）",
  content: "文本",
  contentHint: "支持 Markdown，例如 **粗体** 和[链接](https://example.com)。",
  missing: "请填写公告内容。",
  dismissible: "用户可以关闭",
  dismissibleHint: "更改公告后会再次显示。",
  remove: (n) => `移除公告 ${n}`,
  up: (n) => `上移公告 ${n}`,
  down: (n) => `下移公告 ${n}`,
} satisfies AdminTexts["admin/banners"];
