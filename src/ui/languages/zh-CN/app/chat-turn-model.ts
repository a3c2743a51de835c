import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  title: "选择回答此消息的模型",
  label: "用于此消息的模型",
  found: (n) => `${number.format(n)} 个模型`,
  next: (name) => `${name} 将回答此消息`,
  remove: (name) => `不询问 ${name}`,
} satisfies AppTexts["chat/turn-model"];
