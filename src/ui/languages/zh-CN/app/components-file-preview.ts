import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  pdf: (name) => `${name} 的页面`,
  page: (page, of) => `第 ${number.format(page)} 页，共 ${number.format(of)} 页`,
  pageOnly: (page) => `第 ${number.format(page)} 页`,
  zoomIn: "放大",
  zoomOut: "缩小",
  goTo: "页码",
  pdfFailed: "无法显示页面。请下载文件查看。",
  pdfEncrypted: "此文件受密码保护，无法显示页面。",
  pageFailed: "无法显示此页。",
  text: (name) => `${name} 的文本`,
  textFailed: "无法加载文本",
  earlier: "前面的文本",
  later: "后面的文本",
  noText: "此文件没有文本。",
  changed: "此后文件被重新读取过，该片段的位置可能已改变。",
} satisfies AppTexts["components/file-preview"];
