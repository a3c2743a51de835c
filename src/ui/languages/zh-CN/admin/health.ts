import type { AdminTexts } from "../../admin-texts.ts";
import { list, number } from "../format.ts";

export default {
  title: "运行状况",
  sub: "与监控相同的三项检查，现在从此浏览器运行。",
  again: "重新检查",
  copy: "复制",
  levels: {
    1: { name: "服务和数据库", how: "GET /health" },
    2: { name: "模型列表", how: "GET /api/models" },
    3: { name: "模型回答", how: "POST /api/chat/completions" },
  },
  state: { waiting: "正在检查", ok: "正常", failed: "失败", idle: "尚未检查" },
  reasons: {
    database_unreachable: "数据库没有响应。在恢复之前，任何人都无法登录或阅读对话。",
    database_slow: "数据库的响应时间超过 1.5 秒。",
    schema_outdated: "数据库的架构比此版本所需的旧。请运行迁移。",
  },
  noAnswer: "服务没有响应。",
  models: (count) => `${number.format(count)} 个模型`,
  noModels: "没有列出任何模型：所有提供商都无法连接，或未连接任何提供商。",
  unreachable: (names) => `没有响应：${names}。`,
  ask: "询问模型",
  model: "模型",
  question: "请只回答两个字：就绪",
  answered: (answer) => `回答：“${answer}”`,
  empty: "模型返回了空回答。",
  levelThreeHint: "这会向模型发送一个简短的问题，提供商可能会收费。",
  time: (milliseconds) => `${number.format(Math.round(milliseconds))} 毫秒`,
  monitor: {
    title: "用于监控",
    text: "下面的命令从外部运行全部三项检查，其退出码是第一项失败检查的编号。请为它创建单独的账号。",
  },
  runners: {
    title: "原生运行器",
    ready: "就绪",
    failed: "不可用",
    problems: {
      unreachable: "没有响应。",
      token: "它的 RUNNER_TOKEN 不同。",
      answer: "它的响应不像运行器。",
      protocol: "它的版本与此服务不匹配。",
      detached: "RUNNERS 中已没有它，因此它的插件不会运行。",
    },
    wall: "它的插件只能通过受保护的代理访问网络。",
    noWall: (why) => `系统没有为插件提供独立的网络，因此它们可以绕过受保护的代理：${why}`,
    state: (version, used, max) => `Python ${version}，已使用 ${number.format(used)}/${number.format(max)} 个进程`,
    plugins: (names) => `插件：${list.format(names)}`,
    noPlugins: "没有插件在此运行。",
  },
  version: (version) => `版本 ${version}`,
} satisfies AdminTexts["admin/health"];
