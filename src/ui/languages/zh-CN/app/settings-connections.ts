import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "连接",
  sub: "由你自己付费的提供商。只有你能看到和使用其模型。",
  add: "添加连接",
  list: "我的连接",
  columns: { name: "连接", state: "状态", on: "启用", actions: "操作" },
  failed: "无法加载你的连接",
  none: "用自己的密钥连接提供商，其模型就会出现在你的列表中。",
  closed: "你目前不能使用自己的连接，因此不会列出其模型。你仍可删除这些连接。",
  closedNone: "个人连接已停用。管理员可以启用。",
  deleted: (name) => `已删除连接 ${name}。`,
  deleteText: "其模型会从你的列表中消失，其密钥会被删除。对话会保留。",
  edit: {
    newSub: "输入地址和密钥，测试后保存。密钥会加密存储，且不再显示。",
    main: "地址和密钥",
    presetHint: "自动填写地址及其 API 的已知差异。",
    namePlaceholder: "我的模型",
    prefixHint: "加在每个模型 ID 之前。当两个提供商有同名模型时很有用。",
    idHint: (prefix) => `在 API 中，其模型的 ID 形如 direct.${prefix === "" ? "" : `${prefix}.`}model-name。`,
    privacy: "你写给这些模型的内容会发送给此提供商。其调用不计入此处的配额。分享的对话、频道和他人的插件不能使用它们。",
    dangerText: "其模型会从你的列表中消失。",
  },
} satisfies AppTexts["settings/connections"];
