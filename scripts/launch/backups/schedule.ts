import { isCronDue } from "../cron.ts";
import { StartError } from "../start-error.ts";

const minuteMs = 60_000;
/** Longer than any month. */
const maxMinutes = 32 * 24 * 60;

/**
 * Reads BACKUP_SCHEDULE: `daily 03:00`, or a cron expression with five fields; both in UTC.
 * @returns as a cron expression
 * @throws StartError
 */
export function readSchedule(text: string): string {
  const [, hour, minute] = /^daily ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const cron = hour === undefined ? text : `${Number(minute)} ${Number(hour)} * * *`;
  try {
    if (nextDue(cron, 0) !== undefined) return cron;
  } catch {
    // Told below.
  }
  throw new StartError(
    `BACKUP_SCHEDULE is "${text}", expected a time such as "daily 03:00", or a cron expression such as "30 */6 * * *" (both in UTC).`,
    "configuration",
  );
}

/** The first minute after `since` in which a cron expression is due, epoch milliseconds; undefined if there is none within a month. */
export function nextDue(cron: string, since: number): number | undefined {
  const first = Math.floor(since / minuteMs) + 1;
  for (let minute = first; minute < first + maxMinutes; minute++)
    if (isCronDue(cron, new Date(minute * minuteMs))) return minute * minuteMs;
  return undefined;
}
