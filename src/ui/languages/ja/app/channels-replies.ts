import type { AppTexts } from "../../app-texts.ts";
import { locale } from "../../locale.ts";

const numberList = new Intl.ListFormat(locale, { type: "unit", style: "short" });

export default {
  stopped: "途中で停止しました。",
  sources: "出典",
  numbers: (numbers) => `[${numberList.format(numbers.map(String))}]`,
} satisfies AppTexts["channels/replies"];
