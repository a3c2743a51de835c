import { locale } from "../../../lib/language.ts";
import { texts } from "../texts.ts";

const sameYear = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
const otherYear = new Intl.DateTimeFormat(locale, { dateStyle: "full" });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" });

/** A day in words, for the line above its messages. @param at @param now epoch milliseconds */
export function describeDay(at: number, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return texts.page.today;
  const yesterday = new Date(now);
  yesterday.setDate(today.getDate() - 1);
  if (date.toDateString() === yesterday.toDateString()) return texts.page.yesterday;
  return (date.getFullYear() === today.getFullYear() ? sameYear : otherYear).format(date);
}

/** The time of day. @param at epoch milliseconds */
export function describeClock(at: number): string {
  return clock.format(at);
}

/** The moment to the second. @param at epoch milliseconds */
export function describeExact(at: number): string {
  return exact.format(at);
}
