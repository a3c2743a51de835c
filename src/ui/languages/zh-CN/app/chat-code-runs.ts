import type { AppTexts } from "../../app-texts.ts";
import { number, tenths } from "../format.ts";

export default {
  run: "运行",
  runOf: (language) => `运行此代码（${language}）`,
  again: "重新运行",
  stop: "停止",
  running: "代码正在运行",
  done: (time) => `已完成，用时 ${tenths.format(time)} 秒`,
  stopped: "已停止",
  failed: (name, message) => (message ? `${name}: ${message}` : name),
  failedAt: (name, message, line) =>
    message ? `第 ${number.format(line)} 行：${name}: ${message}` : `第 ${number.format(line)} 行：${name}`,
  tooSlow: (time) => `运行超过 ${tenths.format(time)} 秒，已停止。`,
  reasons: {
    timeout: "运行时间过长，已停止。",
    stopped: "占用内存过多，或长时间运行而没有停顿，已停止。",
    paused: "你的代码已多次被停止。请等待一分钟后重试。",
  },
  traceback: "失败位置",
  output: "代码的输出",
  nothing: "没有输出。",
  cut: "更多输出未显示。",
  result: "结果",
  files: "代码的文件",
  leftOut: (names) => `过大或数量过多：${names}`,
  download: "下载",
  downloadOf: (name) => `下载 ${name}`,
  keep: "保存到我的文件",
  keepOf: (name) => `将 ${name} 保存到我的文件`,
  kept: "已保存",
  keepFailed: (name) => `无法保存 ${name}`,
  filesUnreadable: "无法读取对话的文件，代码将在没有这些文件的情况下运行。",
  unloaded: "无法加载用于运行代码的框架。",
  tooMuch: "代码一次输出过多，已停止。",
  unreachable: "无法运行代码",
  step: {
    running: "正在运行代码",
    done: "已运行代码",
    failed: "运行的代码失败",
    code: "代码",
  },
} satisfies AppTexts["chat/code-runs"];
