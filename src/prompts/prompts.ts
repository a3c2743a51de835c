import { and, eq, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requirePermission, requireUser, type User } from "../access.ts";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { isUniqueViolation } from "../db/database-error.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditRow, auditRowIf } from "../people/audit/audit-row.ts";
import { grantView, namedGrants } from "../people/grants/grant.ts";
import { checkGrants } from "../people/grants/grants.ts";
import type { GrantView } from "../people/grants/schema.ts";
import { setGrants } from "../people/grants/set-grants.ts";
import { promptView, readablePrompt, selectPromptGrants, selectPrompts, type PromptRow } from "./prompt-row.ts";
import type { NewPrompt, PromptChange, PromptView } from "./schema.ts";
import { prompts } from "./tables.ts";
import { dropOldVersions, insertVersion } from "./version-statements.ts";

export function unknownPrompt(): AppError {
  return new AppError("not_found", "No such prompt");
}

/** @throws AppError `not_found` for a prompt that does not exist or is not visible to the caller. */
export async function getPrompt(ctx: Context, id: string): Promise<PromptView> {
  const { row, given } = await findPrompt(ctx, id);
  return promptView(row, given);
}

async function findPrompt(ctx: Context, id: string) {
  const user = requireUser(ctx);
  const [rows, given] = await ctx.db.batch(readBack(ctx, user, id));
  const [row] = rows;
  if (!row) throw unknownPrompt();
  return { user, row, given };
}

/**
 * The prompt, for a caller who may change it.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function findWritable(ctx: Context, id: string) {
  const found = await findPrompt(ctx, id);
  if (!found.row.canWrite)
    throw new AppError("forbidden", `You can use /${found.row.command} but not change it. Ask its owner for access`);
  return found;
}

/** The prompt as a condition: it exists, and the person may change it at this moment. */
export function writablePrompt(user: User, id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM prompts WHERE prompts.id = ${id} AND ${readablePrompt(user, "write")})`;
}

/**
 * Creates a prompt in the caller's organization.
 * @throws AppError `forbidden`; `bad_request` for a command that the caller already has; `validation_failed` for
 *   invalid grants.
 */
export async function createPrompt(ctx: Context, input: NewPrompt): Promise<PromptView> {
  const user = requirePermission(ctx, "workspace.prompts");
  const given = namedGrants(input) ?? [];
  await checkGrants(ctx, user, "prompt", given, []);
  const id = newId();
  const results = await run(ctx, input.command, [
    ...insertPrompt(ctx, user, id, input, given),
    ...readBack(ctx, user, id),
  ]);
  const [rows, grantRows] = results.slice(-2) as ReadBack;
  if (!rows[0]) throw unknownPrompt();
  return promptView(rows[0], grantRows);
}

/** Statements of a new prompt; a command that the person already has fails the whole batch. */
export function insertPrompt(
  ctx: Context,
  user: User,
  id: string,
  input: NewPrompt,
  given: readonly GrantView[],
): BatchItem<"sqlite">[] {
  const versionId = newId();
  const now = ctx.now();
  const name = input.name ?? input.title ?? input.command;
  return [
    ctx.db.insert(prompts).values({
      id,
      userId: user.id,
      organizationId: user.organizationId,
      command: input.command,
      name,
      content: input.content,
      tags: input.tags ?? [],
      isActive: input.is_active ?? true,
      versionId,
      createdAt: now,
      updatedAt: now,
    }),
    insertVersion(ctx, id, { id: versionId, parentId: null, message: input.commit_message ?? "" }),
    ...setGrants(ctx, "prompt", id, [...given], writablePrompt(user, id)),
    auditRow(ctx, {
      action: "prompt.created",
      targetType: "prompt",
      targetId: id,
      organizationId: user.organizationId,
      detail: { name, command: input.command, access_grants: given },
    }),
  ];
}

/**
 * Updates the given fields; a change of content creates a version.
 * @throws AppError `not_found`, `forbidden`, `validation_failed`; `bad_request` for a command that its owner already
 *   has.
 */
export async function changePrompt(ctx: Context, id: string, change: PromptChange): Promise<PromptView> {
  const found = await findWritable(ctx, id);
  const { user, row } = found;
  const given = namedGrants(change);
  if (given) await checkGrants(ctx, user, "prompt", given, found.given.map(grantView));
  const statements = updatePrompt(ctx, user, row, change, given);
  const results = await run(ctx, change.command ?? row.command, [...statements, ...readBack(ctx, user, id)]);
  const [written] = results[0] as (typeof prompts.$inferSelect)[];
  const [rows, grantRows] = results.slice(-2) as ReadBack;
  if (!written) throw unknownPrompt();
  // Who has just given up what let them see it is told what became of it once more.
  return promptView(rows[0] ?? { ...row, ...written, canWrite: false }, grantRows);
}

/** Statements of a change; the first returns the row. */
export function updatePrompt(
  ctx: Context,
  user: User,
  row: PromptRow,
  change: PromptChange,
  given: GrantView[] | undefined,
): BatchItem<"sqlite">[] {
  const { id } = row;
  const said = whatIsNew(row, change);
  const versionId = Object.keys(said).length > 0 ? newId() : undefined;
  const isActive = change.is_active ?? undefined;
  const changed = ctx.db
    .update(prompts)
    .set({
      updatedAt: sql`max(${ctx.now()}, ${prompts.updatedAt})`,
      ...said,
      ...(versionId === undefined ? {} : { versionId }),
      ...(isActive === undefined ? {} : { isActive }),
    })
    .where(and(eq(prompts.id, id), readablePrompt(user, "write")))
    .returning();
  const fields = [...Object.keys(said), ...(isActive === undefined ? [] : ["is_active"])];
  return [
    changed,
    auditRowIf(ctx, {
      action: "prompt.updated",
      targetType: "prompt",
      targetId: id,
      organizationId: row.organizationId,
      detail: { name: row.name, fields, ...(given ? { access_grants: given } : {}) },
    }),
    ...(versionId === undefined
      ? []
      : [
          insertVersion(ctx, id, { id: versionId, parentId: row.versionId, message: change.commit_message ?? "" }),
          dropOldVersions(ctx, id),
        ]),
    ...(given ? setGrants(ctx, "prompt", id, given, writablePrompt(user, id)) : []),
  ];
}

/**
 * Enables or disables it; toggles it if `wanted` is missing.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function togglePrompt(ctx: Context, id: string, wanted?: boolean | null): Promise<PromptView> {
  const { row } = await findWritable(ctx, id);
  return changePrompt(ctx, id, { is_active: wanted ?? !row.isActive });
}

/** Deletes a prompt with its versions and grants. @throws AppError `not_found`, `forbidden`. */
export async function deletePrompt(ctx: Context, id: string): Promise<void> {
  const { user, row } = await findWritable(ctx, id);
  const [deleted] = await ctx.db.batch([
    ctx.db
      .delete(prompts)
      .where(and(eq(prompts.id, id), readablePrompt(user, "write")))
      .returning({ id: prompts.id }),
    auditRowIf(ctx, {
      action: "prompt.deleted",
      targetType: "prompt",
      targetId: id,
      organizationId: row.organizationId,
      detail: { name: row.name, command: row.command },
    }),
  ]);
  if (deleted.length === 0) throw unknownPrompt();
}

function whatIsNew(row: PromptRow, change: PromptChange) {
  const name = change.name ?? change.title;
  return {
    ...(change.command !== undefined && change.command !== row.command ? { command: change.command } : {}),
    ...(name !== undefined && name !== row.name ? { name } : {}),
    ...(change.content !== undefined && change.content !== row.content ? { content: change.content } : {}),
    ...(change.tags && JSON.stringify(change.tags) !== JSON.stringify(row.tags) ? { tags: change.tags } : {}),
  };
}

/** Statements for the end of a batch that read the prompt. */
export function readBack(ctx: Context, user: User, id: string) {
  return [selectPrompts(ctx.db, user, eq(prompts.id, id)), selectPromptGrants(ctx.db, sql`(${id})`)] as const;
}

async function run(ctx: Context, command: string, statements: BatchItem<"sqlite">[]): Promise<unknown[]> {
  try {
    return await runBatch(ctx.db, statements);
  } catch (error) {
    if (isUniqueViolation(error, "prompts.command"))
      throw new AppError("bad_request", `A prompt with the command /${command} already exists`, { param: "command" });
    throw error;
  }
}

export type ReadBack = [Awaited<ReturnType<typeof selectPrompts>>, Awaited<ReturnType<typeof selectPromptGrants>>];
