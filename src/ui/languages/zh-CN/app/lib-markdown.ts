import type { AppTexts } from "../../app-texts.ts";

export default {
  copy: "复制",
  copied: "已复制",
  notCopied: "复制失败",
  copyCode: "复制代码",
  code: "代码",
  codeIn: (language) => `${language} 代码`,
  plainCode: "文本",
  table: "表格",
  picture: (what, host) => (what ? `图片：${what}（${host}）` : `图片（${host}）`),
  pictureFrom: (host) => `来自 ${host}`,
  showPicture: (what, host) => (what ? `显示图片：${what}（${host}）` : `显示图片（${host}）`),
  showPictureHint: "图片由 Parley 获取，对方网站不会知道你是谁。",
  openPicture: "打开",
  openPictureOf: (host) => `在 ${host} 上打开图片`,
  taskDone: "已完成",
  taskOpen: "未完成",
} satisfies AppTexts["lib/markdown"];
