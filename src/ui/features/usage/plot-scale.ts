import type { UsageRow } from "./usage-api.ts";

/** A bar of a plot by day: two parts, one on the other. */
export interface DayBar {
  /** Such as 2026-07-01. */
  day: string;
  lower: number;
  upper: number;
}

const milliseconds = 86_400_000;

/** Every day of the time, also those on which nothing was used. @param from, to days such as 2026-07-01, both included */
export function eachDay(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += milliseconds)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** What is shown of each day. Tokens: read below, written on it; requests: answered below, failed calls on them. */
export function toBars(rows: readonly UsageRow[], from: string, to: string, what: "tokens" | "requests"): DayBar[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  return eachDay(from, to).map((day) => {
    const row = known.get(day);
    if (!row) return { day, lower: 0, upper: 0 };
    const upper = what === "tokens" ? row.output : Math.min(row.errors, row.requests);
    return { day, lower: (what === "tokens" ? row.total : row.requests) - upper, upper };
  });
}
