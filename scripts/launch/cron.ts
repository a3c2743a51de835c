/**
 * Whether a cron expression (five fields, UTC: minute, hour, day of month, month, day of week from 0 = Sunday) is due in
 * the minute of `time`. Understands `*`, numbers, lists, ranges and steps, which is what wrangler.toml files here use.
 * As in cron, a day counts when either of the two day fields names it, if both are given.
 * @throws Error on anything else
 */
export function isCronDue(expression: string, time: Date): boolean {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) throw new Error(`"${expression}" is not a cron expression with five fields`);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const dayFits = matches(day, time.getUTCDate(), 1, 31);
  const weekdayFits = matches(weekday, time.getUTCDay(), 0, 6);
  return (
    matches(minute, time.getUTCMinutes(), 0, 59) &&
    matches(hour, time.getUTCHours(), 0, 23) &&
    matches(month, time.getUTCMonth() + 1, 1, 12) &&
    (day === "*" || weekday === "*" ? dayFits && weekdayFits : dayFits || weekdayFits)
  );
}

function matches(field: string, value: number, lowest: number, highest: number): boolean {
  return field.split(",").some((part) => {
    const found = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (found === null) throw new Error(`"${part}" is not supported in a cron expression`);
    const from = found[1] === undefined ? lowest : Number(found[1]);
    const isRange = found[1] === undefined || found[2] !== undefined || found[3] !== undefined;
    const to = found[2] !== undefined ? Number(found[2]) : isRange ? highest : from;
    const step = Number(found[3] ?? 1);
    return value >= from && value <= to && (value - from) % step === 0;
  });
}

/** Calls `fire` with every expression that is due, at the beginning of each minute, until the process ends. */
export function everyMinute(crons: readonly string[], fire: (cron: string) => void): void {
  const beginOfNext = 60_000 - (Date.now() % 60_000);
  setTimeout(() => {
    const now = new Date();
    for (const cron of crons) if (isCronDue(cron, now)) fire(cron);
    everyMinute(crons, fire);
  }, beginOfNext).unref();
}
