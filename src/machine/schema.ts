import * as z from "zod";
import { time } from "../people/schema.ts";

const count = z.number().min(0);

/** What takes space on the disk of the data folder, in bytes. */
export const diskFigures = z.object({
  freeBytes: count,
  sizeBytes: count,
  parts: z.object({
    database: count,
    /** What the database server keeps for itself. */
    log: count,
    objects: count,
    /** Of people's sessions and channels. */
    sessions: count,
    /** Those on this disk or in another folder; 0 for a bucket. */
    backups: count,
  }),
});
export type DiskFigures = z.infer<typeof diskFigures>;

export const backupFigures = z.object({
  /** A cron expression in UTC; null: none are made by themselves. */
  schedule: z.string().nullable(),
  to: z.string(),
  keep: z.string(),
  /** Epoch milliseconds. */
  nextAt: count.nullable(),
  isLate: z.boolean(),
  /** The one that is being made: when it began, and how much of it is done, from 0 to 1. */
  running: z.object({ since: count, part: count }).nullable(),
  last: z.object({ where: z.string(), bytes: count, durationMs: count, at: count }).nullable(),
  /** Since the last good one. */
  failed: z.object({ message: z.string(), at: count }).nullable(),
});
export type BackupFigures = z.infer<typeof backupFigures>;

/** What the launcher tells of what runs around the service. */
export const machineFigures = z.object({
  /** Callers at the public socket; null where another server keeps it (`npm run dev`). */
  connections: count.nullable(),
  processes: z.array(
    z.object({
      part: z.enum(["launcher", "service", "database", "passwords", "plugins", "documents"]),
      count,
      memoryBytes: count,
      /** Of the processes that run now; null where the system does not tell it, or where they come and go. */
      cpuSeconds: count.nullable(),
      /** How often it ended without being told to; null where that is not counted. */
      restarts: count.nullable(),
      /** How often it was silent for too long and was replaced; null where nobody watches for it. */
      silences: count.nullable(),
    }),
  ),
  disk: diskFigures,
  backups: backupFigures,
});
export type MachineFigures = z.infer<typeof machineFigures>;

/** For administrators. */
export const machineReport = z.object({
  disk: z.object({
    free_bytes: count,
    size_bytes: count,
    /** Below that, uploads are refused. */
    min_free_bytes: count,
    is_low: z.boolean(),
    parts: diskFigures.shape.parts,
  }),
  backups: z.object({
    schedule: z.string().nullable(),
    to: z.string(),
    keep: z.string(),
    next_at: time.nullable(),
    is_late: z.boolean(),
    running: z.object({ since: time, part: count }).nullable(),
    last: z.object({ where: z.string(), bytes: count, duration_ms: count, at: time }).nullable(),
    failed: z.object({ message: z.string(), at: time }).nullable(),
  }),
});
export type MachineReport = z.infer<typeof machineReport>;

export const compacted = z.object({ freed_bytes: count });
