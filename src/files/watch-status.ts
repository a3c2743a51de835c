import { heldCredential, requireUser } from "../access.ts";
import { resolveActorById } from "../auth/resolve-actor.ts";
import type { Context } from "../context.ts";
import { isSettled, statusOf } from "./file-status.ts";
import { findFile, type FoundFile } from "./find-file.ts";
import type { FileStatus } from "./schema.ts";

/** Where a file stands. @throws AppError `not_found` */
export async function fileStatus(ctx: Context, id: string): Promise<FileStatus> {
  return statusOf(await findFile(ctx, id));
}

/** Milliseconds between two looks: short at first, as most files are read in no time. */
const looks = { first: 50, longest: 1500, growth: 1.15 };
/** How often it is asked again who the caller is, milliseconds. */
const rightsEvery = 3000;
/** Nobody watches longer, milliseconds. */
const longest = 2 * 3_600_000;

/**
 * A file as it changes, the current state first, until nothing will change any more; ends with the caller's right to see it, and
 * when `signal` does.
 * @throws AppError `not_found` for what is not there at the beginning
 */
export async function* watchFile(ctx: Context, id: string, signal: AbortSignal): AsyncGenerator<FoundFile, undefined> {
  const credential = heldCredential(requireUser(ctx));
  const began = Date.now();
  let pause: number = looks.first;
  let known = began;
  let current = ctx;
  let row = await findFile(ctx, id);
  let said = "";
  for (;;) {
    const now = JSON.stringify(statusOf(row));
    if (now !== said) yield row;
    if (now !== said) pause = looks.first;
    said = now;
    if (isSettled(row) || Date.now() - began > longest) return;
    await sleep(pause, signal);
    if (signal.aborted) return;
    pause = Math.min(pause * looks.growth, looks.longest);
    if (Date.now() - known > rightsEvery) {
      known = Date.now();
      const { actor } = await resolveActorById(ctx, credential);
      // Not spread: what the request's services are is inherited.
      current = Object.assign(Object.create(ctx) as Context, { actor });
    }
    row = await findFile(current, id);
  }
}

/** When a file settles, or `signal` ends. @throws AppError `not_found` */
export async function settledFile(ctx: Context, id: string, signal: AbortSignal): Promise<FoundFile> {
  let last: FoundFile | undefined;
  for await (const row of watchFile(ctx, id, signal)) last = row;
  return last ?? findFile(ctx, id);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
