import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "此设备",
  sub: "仅适用于此浏览器的选项。",
  notifications: "浏览器通知",
  notificationsSub: "在你没有查看 Parley 时显示。浏览器会询问一次是否允许。",
  kinds: {
    answers: { label: "回答完成", hint: "当模型在你未查看的标签页中完成回答时。" },
    mentions: { label: "频道提及", hint: "当有人写到你的名字时。" },
    questions: { label: "等待中的问题", hint: "当插件需要你的回复才能继续时。" },
  },
  denied: "浏览器阻止了此网站的通知。请在浏览器对此网站的设置中允许，然后重新加载页面。",
  unsupported: "此浏览器无法显示此网站的通知。",
  app: "已安装的应用",
  appSub: "在独立窗口中使用 Parley，图标上显示未读数。其他应用可以向它分享文本和文件。",
  install: "安装 Parley",
  installed: "Parley 正作为已安装的应用运行。",
  manual: "请在浏览器菜单中选择“安装”或“添加到主屏幕”。",
} satisfies AppTexts["settings/device"];
