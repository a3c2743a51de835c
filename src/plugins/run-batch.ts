import type { Context } from "../context.ts";
import { isUniqueViolation } from "../db/database-error.ts";
import { AppError } from "../errors.ts";
import type { Grant } from "../people/grants/grant.ts";
import { type Family, unknownPlugin } from "./find-plugin.ts";
import type { PluginEntry } from "./plugin-index.ts";
import { selectWritten, type Statement } from "./plugin-statements.ts";

/** One batch. @throws AppError `bad_request` for an id that is taken. */
export async function runStatements(ctx: Context, statements: Statement[]): Promise<unknown[]> {
  const [first, ...rest] = statements;
  if (!first) return [];
  try {
    return (await ctx.db.batch([first, ...rest])) as unknown[];
  } catch (error) {
    if (isUniqueViolation(error, "plugins.")) throw takenId();
    throw error;
  }
}

/**
 * One batch: the write, and the plugin as it is afterwards. @param written which of the statements has to have changed a row
 * @throws AppError `conflict` where it changed none, `not_found` where the plugin has gone.
 */
export async function writeAndRead(
  ctx: Context,
  family: Family,
  id: string,
  statements: Statement[],
  written: number,
): Promise<{ entry: PluginEntry; grants: Grant[] }> {
  const [entry, grants] = selectWritten(ctx, family, id);
  const results = await runStatements(ctx, [...statements, entry, grants]);
  const [row] = results.at(-2) as Awaited<typeof entry>;
  if (!row) throw unknownPlugin(family, id);
  if ((results.at(written - 2) as { rowsAffected: number }).rowsAffected === 0) throw changedMeanwhile();
  return { entry: row, grants: results.at(-1) as Awaited<typeof grants> };
}

export function takenId(): AppError {
  return new AppError("bad_request", "This id is already in use: choose another one", { param: "id" });
}

export function changedMeanwhile(): AppError {
  return new AppError("conflict", "Someone else changed this at the same time: reload and try again", {
    param: "version",
  });
}
