import { locale } from "./language.ts";

const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "long" });
const sameYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const otherYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });

/** The exact moment in words, for hovering. @param seconds epoch seconds */
export function exactTime(seconds: number): string {
  return exact.format(seconds * 1000);
}

/** Relative up to a day, then the date. @param seconds epoch seconds @param now epoch seconds */
export function relativeTime(seconds: number, now: number): string {
  const gap = seconds - now;
  const distance = Math.abs(gap);
  if (distance < 45) return relative.format(0, "second");
  if (distance < 3570) return relative.format(Math.round(gap / 60), "minute");
  if (distance < 86_400) return relative.format(Math.round(gap / 3600), "hour");
  const date = new Date(seconds * 1000);
  const year = date.getFullYear() === new Date(now * 1000).getFullYear();
  return (year ? sameYear : otherYear).format(date);
}
