import { locale } from "../../lib/language.ts";

const exact = new Intl.NumberFormat(locale);
const short = new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 });

/** A count as it is read at a glance: exact below 10,000, otherwise such as 1.28M. */
export function formatTokens(count: number): string {
  return count < 10_000 ? exact.format(count) : short.format(count);
}

export function formatExact(count: number): string {
  return exact.format(count);
}
