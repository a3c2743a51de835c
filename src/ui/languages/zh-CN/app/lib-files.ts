import type { AppTexts } from "../../app-texts.ts";
import { locale } from "../../locale.ts";
import { number, percent } from "../format.ts";

const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte" });
const endingList = new Intl.ListFormat(locale, { type: "disjunction" });
const units = { pages: "页", slides: "张幻灯片", sheets: "个工作表" };

export default {
  tooLarge: (name, most) => `${name} 超过了 ${megabytes.format(most)} 的上限。`,
  empty: (name) => `${name} 是空文件。`,
  ending: (name, endings) => `无法上传 ${name} 这类文件。允许的类型：${endingList.format(endings)}。`,
  folder: (name) => `无法读取 ${name}。不能附加文件夹，请选择其中的文件。`,
  uploadWaiting: "等待上传",
  uploading: (part) => `正在上传，${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "已上传，正在保存",
  uploadOffline: "没有连接，将自动继续。",
  uploadFailed: "上传失败",
  stopped: "已停止上传。",
  state({ status, stage, done, total, unit, error }) {
    if (status === "stored") return "未读取";
    if (status === "completed") return "就绪";
    if (status === "failed") return error || "无法读取";
    if (stage === "embedding")
      return total === undefined
        ? "正在建立索引"
        : `正在建立索引，${number.format(done)} / ${number.format(total)} 个片段`;
    if (stage !== "extracting") return "等待读取";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = units[unit];
      if (total !== undefined)
        return `正在读取第 ${number.format(Math.min(done + 1, total))} ${noun}，共 ${number.format(total)} ${noun}`;
      return done > 0 ? `正在读取，已完成 ${number.format(done)} ${noun}` : "正在读取";
    }
    return total === undefined ? "正在读取" : `正在读取，${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
} satisfies AppTexts["lib/files"];
