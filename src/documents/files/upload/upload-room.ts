import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { hasJobRoom, tooManyJobs } from "../../../jobs/room.ts";
import { explainFull, hasStorageRoom } from "../../../people/totals/storage-room.ts";

/** SQL: whether there is room for one more file of the person and, with `process`, for the job that reads it. */
export function hasUploadRoom(
  ctx: Pick<Context, "settings">,
  userId: string,
  { more, process }: { more: number | SQL; process: boolean },
): SQL {
  const room = hasStorageRoom(ctx, userId, more);
  return process ? sql`${room} AND ${hasJobRoom("extract", userId, ctx.settings.MAX_WAITING_JOBS)}` : room;
}

/**
 * The error for an upload that was refused. Where there is room again by now, the sender may try again.
 * @param needed bytes of the file, as far as they are known
 */
export async function explainRefusal(
  ctx: Pick<Context, "db" | "settings">,
  userId: string,
  { needed, uploadId, process = false }: { needed: number; uploadId?: string; process?: boolean },
): Promise<AppError> {
  const full = await explainFull(ctx, userId, { needed, ...(uploadId === undefined ? {} : { uploadId }) });
  if (full) return full;
  if (process) return tooManyReadings(ctx);
  return new AppError("conflict", "There was no room for this file a moment ago: send it again");
}

/** SQL: whether the person may have this file read, again or for the first time. */
export function hasReadingRoom({ settings }: Pick<Context, "settings">, userId: string, fileId: string): SQL {
  const waits = sql`EXISTS (SELECT 1 FROM jobs WHERE kind = 'extract' AND subject = ${fileId})`;
  return sql`(${waits} OR ${hasJobRoom("extract", userId, settings.MAX_WAITING_JOBS)})`;
}

export function tooManyReadings({ settings }: Pick<Context, "settings">): AppError {
  return tooManyJobs(settings.MAX_WAITING_JOBS, "of your files wait to be read");
}
