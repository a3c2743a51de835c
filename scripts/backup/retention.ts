import { StartError } from "../launch/start-error.ts";
import { momentOf } from "./backup-name.ts";

/** How many backups stay: the newest of so many days, and of so many weeks. */
export interface Retention {
  daily: number;
  weekly: number;
}

/**
 * Reads BACKUP_KEEP, such as "7 daily, 4 weekly".
 * @throws StartError
 */
export function readRetention(text: string): Retention {
  const kept = { daily: 0, weekly: 0 };
  for (const part of text.split(",")) {
    const [, count, kind] = /^\s*(\d{1,4}) (daily|weekly)\s*$/.exec(part) ?? [];
    if (kind === undefined)
      throw new StartError(`BACKUP_KEEP is "${text}", expected numbers such as "7 daily, 4 weekly".`, "configuration");
    kept[kind as keyof Retention] = Number(count);
  }
  if (kept.daily + kept.weekly === 0)
    throw new StartError(`BACKUP_KEEP is "${text}", expected that at least one backup is kept.`, "configuration");
  return kept;
}

/** Which of these files are not kept. The newest one is, and those that Parley has not named. */
export function superfluous(names: readonly string[], { daily, weekly }: Retention): string[] {
  const backups = names
    .flatMap((name) => {
      const moment = momentOf(name);
      return moment === undefined ? [] : [{ name, moment }];
    })
    .toSorted((a, b) => b.moment.getTime() - a.moment.getTime());
  const newestOf = (periodOf: (moment: Date) => number, count: number) => {
    const periods = new Map<number, string>();
    for (const { name, moment } of backups) {
      const period = periodOf(moment);
      if (!periods.has(period)) periods.set(period, name);
    }
    return [...periods.values()].slice(0, count);
  };
  const kept = new Set([
    ...newestOf(dayOf, daily),
    ...newestOf((moment) => Math.floor((dayOf(moment) + 3) / 7), weekly),
  ]);
  const [newest] = backups;
  return backups.filter((each) => each !== newest && !kept.has(each.name)).map(({ name }) => name);
}

/** Days since 1970-01-01, which was a Thursday; weeks begin on Mondays. */
const dayOf = (moment: Date) => Math.floor(moment.getTime() / 86_400_000);
