import { locale } from "../../lib/language.ts";
import { texts } from "./texts.ts";

const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** A length of time as it stands beside a model's name: `2.1 s`, `34 s`, `2 min 5 s`. @param seconds at least 0 */
export function formatDuration(seconds: number): string {
  if (seconds < 10 && !Number.isInteger(seconds)) return texts.answer.seconds(oneDigit.format(seconds));
  const whole = Math.round(seconds);
  if (whole < 60) return texts.answer.seconds(String(whole));
  return texts.answer.minutes(Math.floor(whole / 60), whole % 60);
}
