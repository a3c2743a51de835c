import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  title: "このメッセージに回答するモデル",
  label: "このメッセージ用のモデル",
  found: (n) => `${number.format(n)}個のモデル`,
  next: (name) => `${name}がこのメッセージに回答します`,
  remove: (name) => `${name}に質問しない`,
} satisfies AppTexts["chat/turn-model"];
