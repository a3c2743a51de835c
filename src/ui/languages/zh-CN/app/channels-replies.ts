import type { AppTexts } from "../../app-texts.ts";
import { locale } from "../../locale.ts";

const numberList = new Intl.ListFormat(locale, { type: "unit", style: "short" });

export default {
  stopped: "已提前停止。",
  sources: "来源",
  numbers: (numbers) => `[${numberList.format(numbers.map(String))}]`,
} satisfies AppTexts["channels/replies"];
