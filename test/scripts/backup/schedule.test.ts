import { expect, test } from "vitest";
import { backupName, momentOf } from "../../../scripts/backup/backup-name.ts";
import { readRetention, superfluous } from "../../../scripts/backup/retention.ts";
import { readBackupOptions } from "../../../scripts/launch/backups/backup-options.ts";
import { nextDue, readSchedule } from "../../../scripts/launch/backups/schedule.ts";

const at = (text: string) => Date.parse(`${text}Z`);

test("a schedule is a time of the day or a cron expression", () => {
  const next = (text: string, since: string) => new Date(nextDue(readSchedule(text), at(since))!).toISOString();
  expect(next("daily 03:05", "2026-11-23T03:04")).toBe("2026-11-23T03:05:00.000Z");
  expect(next("daily 03:05", "2026-11-23T03:05")).toBe("2026-11-24T03:05:00.000Z");
  expect(next("30 */6 * * *", "2026-11-23T19:00")).toBe("2026-11-24T00:30:00.000Z");
  expect(next("0 4 1 * *", "2026-01-01T05:00")).toBe("2026-02-01T04:00:00.000Z");
  for (const wrong of ["daily", "daily 3:00", "daily 24:00", "hourly", "* * *", "0 0 31 2 *"])
    expect(() => readSchedule(wrong), wrong).toThrow(/^BACKUP_SCHEDULE is ".*", expected a time such as/);
});

test("everything that is wrong is said at once", () => {
  const read = (env: Record<string, string>) => readBackupOptions(env, "/data", "/parley");
  expect(read({})).toEqual({ schedule: undefined, to: "/data/backups", keep: "7 daily, 4 weekly" });
  expect(read({ BACKUP_TO: "copies", BACKUP_KEEP: "3 daily" })).toMatchObject({
    to: "/parley/copies",
    keep: "3 daily",
  });
  expect(() =>
    read({ BACKUP_SCHEDULE: "now", BACKUP_KEEP: "all", BACKUP_TO: "s3://bucket", BACKUP_PASSPHRASE: "short" }),
  ).toThrow(
    expect.objectContaining({
      exitCode: 78,
      message: expect.stringMatching(
        /BACKUP_KEEP is "all"[^]*BACKUP_PASSPHRASE is "\.\.\."[^]*"s3:\/\/bucket", expected AWS_ACCESS[^]*BACKUP_SCHEDULE is "now"/,
      ) as string,
    }),
  );
});

test("the newest of each day and each week stays, and what Parley has not named", () => {
  const names = [
    "2026-11-23T03:00",
    "2026-11-23T15:00",
    "2026-11-22T03:00",
    "2026-11-21T03:00",
    "2026-11-16T03:00",
    "2026-11-09T03:00",
  ];
  const files = [...names.map((moment) => backupName(new Date(at(moment)), false)), "mine.tar.zst"];
  expect(momentOf(files[0]!)).toEqual(new Date(at(names[0]!)));
  const left = (keep: string) => {
    const gone = new Set(superfluous(files, readRetention(keep)));
    return names.filter((_name, index) => !gone.has(files[index]!));
  };
  // 2026-11-23 is a Monday.
  expect(left("2 daily, 3 weekly")).toEqual([names[1], names[2], names[5]]);
  expect(left("1 daily")).toEqual([names[1]]);
  expect(superfluous(files, readRetention("1 daily"))).not.toContain("mine.tar.zst");
  for (const wrong of ["", "7", "7 hourly", "0 daily"])
    expect(() => readRetention(wrong), wrong).toThrow(/^BACKUP_KEEP is ".*", expected/);
});
