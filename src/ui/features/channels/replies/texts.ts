import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const list = new Intl.ListFormat(locale, { type: "unit", style: "short" });

/** Texts below answers of models. */
export const texts = inLanguage("channels/replies", {
  stopped: "Stopped early.",
  sources: "Sources",
  numbers: (numbers: readonly number[]) => `[${list.format(numbers.map(String))}]`,
});
