import type { AppTexts } from "../../app-texts.ts";
import { list, number } from "../format.ts";

const named = (names: readonly string[], others: number): string =>
  list.format(others > 0 ? [...names, `另外 ${number.format(others)} 人`] : names);

export default {
  channels: "频道",
  direct: "私信",
  untitled: "会话",

  rail: {
    add: "新建频道或私信",
    make: "新建频道",
    browse: "浏览频道",
    write: "新消息",
    all: "所有频道",
    failed: "无法加载频道",
    empty: "你的频道会列在这里。",
    unread: (n, isMore) => `${isMore ? "超过 " : ""}${number.format(n)} 条未读`,
    mentions: (n) => `${number.format(n)} 条提及你的消息`,
    private: "私有频道",
    public: "公开频道",
    more: (n) => `${number.format(n)}+`,
  },

  home: {
    title: "频道",
    lead: "团队、机器人和模型相互交流的地方。",
    empty: "你还没有加入任何频道。浏览频道，或创建第一个频道。",
    none: "还没有消息",
    people: (n) => `${number.format(n)} 人`,
  },

  page: {
    loadFailed: "无法加载频道",
    messagesFailed: "无法加载消息",
    notFound: "此频道不存在，或是私有频道且你不是成员。",
    notAllowed: "只有成员可以阅读此频道。频道管理者可以添加你。作为管理员，你仍可更改其设置。",
    switchedOff: "频道功能已停用。管理员可以启用。",
    noRight: "你的账号不能使用频道。管理员可以授予此权限。",
    others: "所有频道",
    empty: (name) => `这是 ${name} 的开头。发送第一条消息吧。`,
    emptyPreview: "还没有消息。",
    beginning: (name) => `${name} 的开头`,
    log: (name) => `${name} 中的消息`,
    earlier: "显示更早的消息",
    later: "显示更新的消息",
    latest: "最新",
    newBelow: (n) => `${number.format(n)} 条新消息`,
    newLine: "新消息",
    today: "今天",
    yesterday: "昨天",
    members: (n) => `${number.format(n)} 名成员`,
    pins: "置顶消息",
    search: "在此频道中搜索",
    settings: "频道设置",
    actions: "更多频道操作",
    said: (name, text) => `${name}：${text}`,
    manySaid: (n) => `${number.format(n)} 条新消息`,
  },

  mention: {
    by: (name) => `${name} 在话题中提及了你：`,
    more: (n) => `另外 ${number.format(n)} 条`,
  },

  preview: {
    text: (name) => `你正在预览 ${name}。加入后可接收消息；发送消息也会加入。`,
    join: "加入频道",
    failed: "无法加入频道",
  },

  composer: {
    label: (name) => `发给 ${name} 的消息`,
    labelThread: "在此话题中回复",
    placeholder: (name) => `发消息给 ${name}`,
    placeholderThread: "回复",
    attach: "附加文件",
    quoting: (name) => `正在引用 ${name}`,
    dropQuote: "移除引用",
    tooLong: (over) => `消息超出 ${number.format(over)} 个字符。请缩短，或作为文件附加。`,
  },

  message: {
    edited: "已编辑",
    pinned: "已置顶",
    deleted: "此消息已删除。",
    bot: "Webhook",
    service: "服务账号",
    model: "模型",
    streaming: "正在输入",
    failed: "模型没有回答",
    sending: "正在发送",
    waiting: "等待连接",
    notSent: "未发送",
    again: "重新发送",
    discard: "放弃",
    from: (name, when) => `${name}，${when}`,
    replies: (n) => `${number.format(n)} 条回复`,
    latestReply: "最新",
    quoted: (name) => `回复 ${name}`,
    quoteGone: "回复一条已删除的消息",
    showAll: "显示全部",
    showLess: "收起",
  },

  actions: {
    label: (name) => `${name} 的消息的操作`,
    react: "添加回应",
    quote: "引用",
    thread: "在话题中回复",
    edit: "编辑",
    pin: "在频道中置顶",
    unpin: "取消置顶",
    copy: "复制文本",
    copyLink: "复制链接",
    remove: "删除",
    stop: "停止回答",
    regenerate: "重新生成",
    copied: "已复制。",
    failed: "操作失败，消息未更改。",
    notCopied: "浏览器阻止了复制。",
  },

  remove: {
    title: "删除此消息？",
    text: "频道中的所有人都将无法再看到它。",
    textThread: "其文本将对所有人删除，回复会保留。",
    action: "删除消息",
    failed: "无法删除消息",
  },

  edit: {
    label: "编辑消息",
    save: "保存",
    cancel: "取消",
    hint: "按 Esc 取消，按 Enter 保存。",
    failed: "无法保存更改",
  },

  reactions: {
    label: "回应",
    choose: "选择回应",
    more: "添加回应",
    by: (emoji, names, others) => `${emoji} ${named(names, others)}`,
    you: "你",
  },

  thread: {
    title: "话题",
    failed: "无法加载话题",
    gone: "此消息已不存在。",
    none: "还没有回复。",
    replies: (n) => `${number.format(n)} 条回复`,
    log: "回复",
  },

  pins: {
    title: "置顶消息",
    none: "没有置顶消息。将需要再次查看的消息置顶吧。",
    failed: "无法加载置顶消息",
    show: "在频道中显示",
    more: "显示更多",
  },

  search: {
    title: "搜索",
    label: "在此频道中搜索",
    hint: "输入消息中的词语。",
    none: (query) => `没有与“${query}”匹配的消息。`,
    failed: "搜索失败",
    results: (n) => `找到 ${number.format(n)} 条消息`,
    inThread: "在话题中",
    palette: "频道中的消息",
    paletteChannels: "频道",
  },

  panels: { members: "成员", webhooks: "Webhook", file: "文件" },

  typing: (names, others) => `${named(names, others)} 正在输入`,

  keys: {
    group: "频道",
    send: "发送",
    newline: "换行",
    editLast: "编辑最后一条消息（输入框为空时）",
    close: "关闭话题或面板",
  },
} satisfies AppTexts["channels"];
