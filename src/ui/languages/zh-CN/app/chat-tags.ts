import type { AppTexts } from "../../app-texts.ts";

export default {
  menu: "标签…",
  label: "标签",
  spoken: "标签：",
  row: "此对话的标签",
  edit: "更改标签",
  show: (name) => `显示带有标签 ${name} 的对话`,
  filter: {
    label: "仅显示带有此标签的对话",
    clear: (name) => `取消按 ${name} 筛选`,
    none: (name) => `没有带有标签“${name}”的对话。`,
    noneFound: (query, name) => `带有标签“${name}”的对话中，没有与“${query}”匹配的。`,
  },
  dialog: {
    title: (name) => `“${name}”的标签`,
    add: "添加标签",
    addAction: "添加",
    placeholder: "一两个词",
    none: "此对话还没有标签。",
    remove: (name) => `移除标签 ${name}`,
    known: "你的其他标签",
    addKnown: (name) => `添加标签 ${name}`,
    failed: "无法更改标签",
    loadFailed: "无法加载标签",
    added: (name) => `已添加 ${name}`,
    removed: (name) => `已移除 ${name}`,
    done: "完成",
  },
} satisfies AppTexts["chat/tags"];
