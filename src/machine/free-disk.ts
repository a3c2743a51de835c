import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { describeSize } from "../lib/describe-size.ts";

/** Bytes of a megabyte, as sizes are shown. */
const megabyte = 1_000_000;

type Needed = Pick<Context, "machine" | "settings" | "log">;

export function minFreeBytes({ settings }: Pick<Context, "settings">): number {
  return settings.MIN_FREE_DISK * megabyte;
}

/**
 * Whether so many more bytes leave less room on the disk than there has to be. False where nobody knows, as on the edge.
 */
export async function isDiskLow(ctx: Needed, more = 0): Promise<boolean> {
  const min = minFreeBytes(ctx);
  if (ctx.machine === undefined || min === 0) return false;
  try {
    return (await ctx.machine.freeBytes()) - more < min;
  } catch (error) {
    ctx.log.warn("the room on the disk is not known", { error });
    return false;
  }
}

/** @throws AppError `disk_full` */
export async function requireFreeDisk(ctx: Needed, more: number): Promise<void> {
  if (!(await isDiskLow(ctx, more))) return;
  const min = describeSize(minFreeBytes(ctx));
  throw new AppError(
    "disk_full",
    `The disk of the service is almost full: ${min} have to stay free. Tell an administrator`,
  );
}
