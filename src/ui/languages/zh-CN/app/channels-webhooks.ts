import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Webhook",
  lead: "让机器人和其他系统在此频道发言的地址。任何拥有地址的人都可以发言。",
  add: "新建 Webhook",
  none: "还没有 Webhook。创建一个，让脚本或其他系统在此发言。",
  failed: "无法加载 Webhook",
  lastUsed: "上次使用",
  neverUsed: "从未使用",
  url: "地址",
  urlHint: "请保密：任何拥有它的人都可以发言。",
  curl: "从终端发送",
  curlHint: "使用 Idempotency-Key 标头时，重复发送的内容只会出现一次。",
  lost: "无法显示地址，因为加密它的密钥已不再使用。地址仍然有效。如需查看地址，请新建一个。",
  example: "船舶**已到港**",

  tool: "发送方",
  setups: {
    curl: { label: "脚本", steps: "发送 JSON，其中 content 字段为 Markdown。" },
    slack: {
      label: "兼容 Slack",
      steps: "在程序要求填写 Slack 传入 Webhook 的位置粘贴地址。Jenkins、GitLab 和 Argo CD 支持此方式。",
      example: "使用 Slack 自己的客户端",
    },
    discord: {
      label: "兼容 Discord",
      steps: "在程序要求填写 Discord Webhook 的位置粘贴地址。",
    },
    alertmanager: { steps: "在 Alertmanager 的配置中添加 receiver，并将告警路由到它。" },
    grafana: {
      steps: "在 Grafana 中依次打开 Alerting、Contact points，添加一个 Webhook 类型的联络点，将地址粘贴为 URL。",
      example: "或作为 provisioning 文件",
    },
    uptimeKuma: {
      steps:
        "在 Uptime Kuma 中依次打开设置、通知、设置通知。选择 Webhook，将地址粘贴为 Post URL，并选择 Preset - application/json。",
    },
    github: {
      steps:
        "在仓库中依次打开 Settings、Webhooks、Add webhook。将地址粘贴为 Payload URL。两种 Content type 都可用。选择需要的事件。",
    },
    titleMessage: {
      label: "标题和消息",
      steps: "适用于由你编写正文的程序，以及发送标题和消息的程序，例如 Apprise 和 ntfy。",
      example: "正文",
    },
  },

  threads: "话题",
  threadsHint: "关于同一告警、拉取请求或运行的内容会归为一个话题，其首条消息显示当前状态。",

  requests: {
    title: "最近的请求",
    reload: "重新加载",
    failed: "无法加载请求",
    none: "此地址还没有收到请求。",
    posted: "已发布",
    repeated: "重复发送",
    refused: (status) => `已拒绝（${status}）`,
    unknown: "未知格式",
  },

  test: "发送测试消息",
  testContent: (name) => `这是 Webhook ${name} 的测试。`,
  tested: "测试消息已发布到频道。",
  testFailed: "无法发布测试消息",
  edit: "更改名称或图片",
  rotate: "更换地址",
  remove: "删除",

  dialog: {
    create: "新建 Webhook",
    edit: "编辑 Webhook",
    name: "名称",
    nameHint: "显示在其消息上方。",
    nameMissing: "请输入名称。",
    editHint: "之前的消息保留原有名称和图片，地址不变。",
    make: "创建 Webhook",
    save: "保存",
    makeFailed: "无法创建 Webhook",
    saveFailed: "无法保存更改",
  },

  askRotate: {
    title: (name) => `更换 ${name} 的地址？`,
    text: "当前地址会立即失效。请将新地址提供给所有使用它的人。",
    action: "更换地址",
    failed: "无法更换地址",
    done: (name) => `${name} 已有新地址。`,
  },
  askRemove: {
    title: (name) => `删除 ${name}？`,
    text: "其地址会立即失效。其消息会以“Deleted webhook”的名义保留在频道中。",
    action: "删除 Webhook",
    failed: "无法删除 Webhook",
    done: (name) => `已删除 ${name}。`,
  },
} satisfies AppTexts["channels/webhooks"];
