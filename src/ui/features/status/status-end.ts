/** When a status ends by itself; `kept`: at the time it has already. */
export type StatusEnd = "never" | "halfHour" | "hour" | "fourHours" | "today" | "week" | "kept";

const minutes: Partial<Record<StatusEnd, number>> = { halfHour: 30, hour: 60, fourHours: 240 };

/** The moment in epoch seconds, where `now` is; null: never. Days and weeks end at midnight here, weeks on Sunday. */
export function endOf(choice: Exclude<StatusEnd, "kept">, now: Date): number | null {
  if (choice === "never") return null;
  const after = minutes[choice];
  if (after !== undefined) return Math.floor(now.getTime() / 1000) + after * 60;
  const end = new Date(now);
  end.setHours(24, 0, 0, 0);
  // Weekday 0 is Sunday: it ends the week.
  if (choice === "week") end.setDate(end.getDate() + ((7 - now.getDay()) % 7));
  return Math.floor(end.getTime() / 1000);
}
