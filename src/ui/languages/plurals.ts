import { locale } from "./locale.ts";

/** Texts for the plural categories of a language (Unicode CLDR); `#` stands for the number. */
type Forms = Partial<Record<Exclude<Intl.LDMLPluralRule, "other">, string>> & { other: string };

/** @returns what chooses the text for a number by the rules of the language and puts the number in */
export function plurals(tag: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(tag);
  const number = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll("#", () => number.format(count));
}
