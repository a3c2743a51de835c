import { inLanguage } from "../../../languages/admin.ts";

/** Texts of what is kept on the machine: its disk, and backups. */
export const texts = inLanguage("admin/storage", {
  disk: {
    title: "Disk",
    used: "Used by everything on this disk",
    free: (size: string) => `${size} free`,
    low: (min: string) => `Uploads are refused, because less than ${min} of the disk is free. Free up disk space.`,
    parts: {
      database: "Database",
      log: "Database log",
      objects: "Files and texts",
      sessions: "Sessions and channels",
      backups: "Backups",
    },
    hint: "Space from deleted files is freed within an hour.",
    failed: "The disk and the backups couldn't be loaded",
  },
  backups: {
    title: "Backups",
    now: "Back up now",
    progress: (percent: number) => `Backing up: ${percent} %`,
    startFailed: "The backup couldn't be started",
    late: "A backup is late. The last error below or the service log says why.",
    last: "Last backup",
    none: "None yet",
    lastHint: (size: string, seconds: string) => `${size}, took ${seconds} s`,
    next: "Next backup",
    noSchedule: "No schedule. Set BACKUP_SCHEDULE to make backups regularly.",
    to: "Kept in",
    keep: "Backups to keep",
    failed: "Last error",
  },
});
