import type { Context } from "../../context.ts";
import { pause } from "../../lib/pause.ts";
import { lastingContext } from "../../people/auth/lasting-context.ts";
import { isSettled, statusOf } from "./file-status.ts";
import { findFile, type FoundFile } from "./find-file.ts";
import type { FileStatus } from "./schema.ts";

/** Where a file stands. @throws AppError `not_found` */
export async function fileStatus(ctx: Context, id: string): Promise<FileStatus> {
  return statusOf(await findFile(ctx, id));
}

/** Milliseconds between two looks: short at first, as most files are read in no time. */
const pauseMs = { first: 50, max: 1500, growth: 1.15 };
/** Nobody watches longer, milliseconds. */
const maxWatchMs = 2 * 3_600_000;

/**
 * A file as it changes, the current state first, until nothing will change any more; ends with the caller's right to see it, and
 * when `signal` does.
 * @throws AppError `not_found` for what is not there at the beginning
 */
async function* watchFile(ctx: Context, id: string, signal: AbortSignal): AsyncGenerator<FoundFile, undefined> {
  const contextNow = lastingContext(ctx);
  const began = Date.now();
  let between: number = pauseMs.first;
  let row = await findFile(ctx, id);
  let said = "";
  for (;;) {
    const now = JSON.stringify(statusOf(row));
    if (now !== said) yield row;
    if (now !== said) between = pauseMs.first;
    said = now;
    if (isSettled(row) || Date.now() - began > maxWatchMs) return;
    await pause(between, signal).catch(() => undefined);
    if (signal.aborted) return;
    between = Math.min(between * pauseMs.growth, pauseMs.max);
    row = await findFile(await contextNow(), id);
  }
}

/** The same as statuses. */
export async function* watchStatus(
  ctx: Context,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<FileStatus, undefined> {
  for await (const row of watchFile(ctx, id, signal)) yield statusOf(row);
}

/** When a file settles, or `signal` ends. @throws AppError `not_found` */
export async function settledFile(ctx: Context, id: string, signal: AbortSignal): Promise<FoundFile> {
  let last: FoundFile | undefined;
  for await (const row of watchFile(ctx, id, signal)) last = row;
  return last ?? findFile(ctx, id);
}
