import path from "node:path";
import { readPassphrase } from "../../backup/read-passphrase.ts";
import { readRetention } from "../../backup/retention.ts";
import { checkBucket } from "../../backup/s3-address.ts";
import { Faults } from "../start-error.ts";
import { readSchedule } from "./schedule.ts";

export interface BackupOptions {
  /** A cron expression; undefined: only when somebody asks for it. */
  schedule: string | undefined;
  /** A folder, as an absolute path, or `s3://bucket/prefix`. */
  to: string;
  /** As BACKUP_KEEP has it. */
  keep: string;
}

/** @throws StartError with all that is wrong */
export function readBackupOptions(env: NodeJS.ProcessEnv, dataDir: string, root: string): BackupOptions {
  const faults = new Faults();
  const schedule = env["BACKUP_SCHEDULE"]?.trim() ?? "";
  const to = env["BACKUP_TO"]?.trim() ?? "";
  const keep = env["BACKUP_KEEP"]?.trim() || "7 daily, 4 weekly";
  faults.read(() => readRetention(keep), undefined);
  faults.read(() => readPassphrase(env), undefined);
  if (to.startsWith("s3://")) faults.read(() => checkBucket(to, env), undefined);
  const cron = schedule === "" ? undefined : faults.read(() => readSchedule(schedule), undefined);
  faults.throwAny();
  if (to.startsWith("s3://")) return { schedule: cron, to, keep };
  return { schedule: cron, to: to === "" ? path.join(dataDir, "backups") : path.resolve(root, to), keep };
}
