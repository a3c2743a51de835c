import type { AdminTexts } from "../../admin-texts.ts";
import { tenths } from "../format.ts";

export default {
  title: "图片和语音",
  sub: "由哪些连接生成图片、转写语音和朗读回答。",
  failed: "无法加载设置",
  images: { title: "模型生成图片", sub: "模型会收到描述，以及需要修改的图片。" },
  audio: { title: "语音", sub: "每个人都可以在“设置”的“语音”中选择声音和语速。" },
  engines: { "": "每个人的浏览器", openai: "连接", off: "不使用" },
  none: "无",
  trial: {
    title: "试用",
    sub: "使用上面已保存的模型。图片会成为你的文件。",
    prompt: "描述",
    standard: "黄昏中的灯塔，木刻版画风格",
    test: "生成图片",
    testing: "正在生成图片，可能需要一分钟。",
    testStale: "生成上一张图片之后，描述已更改。",
    testFailed: "未生成图片",
    made: (seconds) => `用时 ${tenths.format(seconds)} 秒。`,
    missing: "请输入描述。",
  },
} satisfies AdminTexts["admin/media"];
