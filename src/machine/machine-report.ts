import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { auditRow } from "../people/audit/audit-row.ts";
import type { Machine } from "../ports.ts";
import { minFreeBytes } from "./free-disk.ts";
import type { MachineReport } from "./schema.ts";

/** What takes space on the disk, and how the backups are. @throws AppError `not_found` on the edge */
export async function getMachineReport(ctx: Context): Promise<MachineReport> {
  const { disk, backups } = await machineOf(ctx).figures();
  const { last, failed, running, nextAt } = backups;
  const min = minFreeBytes(ctx);
  return {
    disk: {
      free_bytes: disk.freeBytes,
      size_bytes: disk.sizeBytes,
      min_free_bytes: min,
      is_low: disk.freeBytes < min,
      parts: disk.parts,
    },
    backups: {
      schedule: backups.schedule,
      to: backups.to,
      keep: backups.keep,
      next_at: nextAt === null ? null : seconds(nextAt),
      is_late: backups.isLate,
      running: running && { since: seconds(running.since), part: running.part },
      last: last && {
        where: last.where,
        bytes: last.bytes,
        duration_ms: Math.round(last.durationMs),
        at: seconds(last.at),
      },
      failed: failed && { message: failed.message, at: seconds(failed.at) },
    },
  };
}

/** Begins a backup, unless one is being made. @throws AppError `not_found` on the edge */
export async function startBackup(ctx: Context): Promise<void> {
  const machine = machineOf(ctx);
  await machine.startBackup();
  await ctx.db.batch([auditRow(ctx, { action: "backup.started", targetType: "machine", targetId: "machine" })]);
}

/** Gives the room of what was deleted back to the disk; otherwise that happens every hour. @throws AppError `not_found` on the edge */
export async function compact(ctx: Context): Promise<{ freed_bytes: number }> {
  const machine = machineOf(ctx);
  // What waits to be taken away goes first.
  await ctx.registry.sweep(ctx);
  return { freed_bytes: await machine.compact() };
}

function machineOf(ctx: Context): Machine {
  requireAdmin(ctx);
  if (ctx.machine) return ctx.machine;
  throw new AppError("not_found", "There is no disk and no backup here: the platform keeps the data");
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
