import { and, eq, inArray } from "drizzle-orm";
import { requirePermission } from "../access.ts";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { isUniqueViolation } from "../db/database-error.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { allPrompts } from "./list-prompts.ts";
import { selectPrompts } from "./prompt-row.ts";
import { findWritable, insertPrompt, updatePrompt } from "./prompts.ts";
import type { ImportedCount, NewPrompt, PromptView } from "./schema.ts";
import { prompts } from "./tables.ts";

/**
 * The prompts that the caller may change, or the one with the id, in the format of `importPrompts`.
 * @throws AppError `forbidden`; `not_found` for an id that is not among them
 */
export async function exportPrompts(ctx: Context, id?: string): Promise<AsyncIterable<PromptView>> {
  requirePermission(ctx, "workspace.prompts");
  if (id !== undefined) await findWritable(ctx, id);
  return writable(ctx, id);
}

async function* writable(ctx: Context, id: string | undefined): AsyncGenerator<PromptView> {
  for await (const prompt of allPrompts(ctx))
    if (prompt.write_access && (id === undefined || prompt.id === id)) yield prompt;
}

/**
 * Creates the caller's prompts, and changes those whose command they have already: all of them or none. What a file says
 * of sharing is left out: nobody shares by opening a file.
 * @throws AppError `forbidden`; `validation_failed` for a command that comes twice; `conflict` if the caller made one of
 *   them at the same time
 */
export async function importPrompts(ctx: Context, given: readonly NewPrompt[]): Promise<ImportedCount> {
  const user = requirePermission(ctx, "workspace.prompts");
  const commands = given.map(({ command }) => command);
  const twice = commands.find((command, at) => commands.indexOf(command) < at);
  if (twice !== undefined) throw new AppError("validation_failed", `/${twice} is listed twice`, { param: "prompts" });
  const isOwn = and(
    eq(prompts.userId, user.id),
    eq(prompts.organizationId, user.organizationId),
    inArray(prompts.command, commands),
  );
  const known = new Map((await selectPrompts(ctx.db, user, isOwn)).map((row) => [row.command, row]));
  const statements = given.flatMap((prompt) => {
    const row = known.get(prompt.command);
    if (!row) return insertPrompt(ctx, user, newId(), prompt, []);
    const { access_grants: _grants, access_control: _control, ...change } = prompt;
    return updatePrompt(ctx, user, row, { ...change, commit_message: prompt.commit_message ?? "Imported" }, undefined);
  });
  try {
    await runBatch(ctx.db, statements);
  } catch (error) {
    if (isUniqueViolation(error, "prompts.command"))
      throw new AppError("conflict", "You made one of these prompts in the meantime: import the file again");
    throw error;
  }
  return { created: given.length - known.size, changed: known.size };
}
