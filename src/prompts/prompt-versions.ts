import { and, desc, eq, sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { users } from "../people/users/tables.ts";
import { readablePrompt } from "./prompt-row.ts";
import { findWritable, getPrompt } from "./prompts.ts";
import type { PromptVersion, PromptView } from "./schema.ts";
import { prompts, promptVersions } from "./tables.ts";

/** As in the peer. */
const pageSize = 50;

/** The kept versions, newest first, for those who may change the prompt. @throws AppError `not_found`, `forbidden`. */
export async function listVersions(ctx: Context, promptId: string, page: number): Promise<PromptVersion[]> {
  await findWritable(ctx, promptId);
  const rows = await selectVersions(ctx, promptId)
    .orderBy(desc(promptVersions.id))
    .limit(pageSize)
    .offset(page * pageSize);
  return rows.map(versionView);
}

/** @throws AppError `not_found`, `forbidden`. */
export async function getVersion(ctx: Context, promptId: string, id: string): Promise<PromptVersion> {
  await findWritable(ctx, promptId);
  const [row] = await selectVersions(ctx, promptId, id);
  if (!row) throw unknownVersion();
  return versionView(row);
}

/** Says again what a version says; the command stays. @throws AppError `not_found`, `forbidden`. */
export async function useVersion(ctx: Context, promptId: string, id: string): Promise<PromptView> {
  const { user, row } = await findWritable(ctx, promptId);
  const from = sql`prompt_versions v WHERE v.id = ${id} AND v.prompt_id = prompts.id`;
  const [changed] = await ctx.db.batch([
    ctx.db
      .update(prompts)
      .set({
        name: sql`(SELECT v.name FROM ${from})`,
        content: sql`(SELECT v.content FROM ${from})`,
        tags: sql`(SELECT v.tags FROM ${from})`,
        versionId: id,
        updatedAt: sql`max(${ctx.now()}, ${prompts.updatedAt})`,
      })
      .where(and(eq(prompts.id, promptId), readablePrompt(user, "write"), sql`EXISTS (SELECT 1 FROM ${from})`))
      .returning({ id: prompts.id }),
    auditRowIf(ctx, {
      action: "prompt.version_restored",
      targetType: "prompt",
      targetId: promptId,
      organizationId: row.organizationId,
      detail: { name: row.name, version_id: id },
    }),
  ]);
  if (changed.length === 0) throw unknownVersion();
  return getPrompt(ctx, promptId);
}

/** Forgets a version that is not in use. @throws AppError `not_found`, `forbidden`; `conflict` for the one in use. */
export async function deleteVersion(ctx: Context, promptId: string, id: string): Promise<void> {
  const { user, row } = await findWritable(ctx, promptId);
  if (row.versionId === id) throw new AppError("conflict", "This version is in use: switch to another version first");
  const [deleted] = await ctx.db.batch([
    ctx.db
      .delete(promptVersions)
      .where(
        sql`${promptVersions.id} = ${id} AND ${promptVersions.promptId} IN (
          SELECT prompts.id FROM prompts WHERE prompts.id = ${promptId} AND prompts.version_id <> ${id} AND ${readablePrompt(user, "write")})`,
      )
      .returning({ id: promptVersions.id }),
    auditRowIf(ctx, {
      action: "prompt.version_deleted",
      targetType: "prompt",
      targetId: promptId,
      organizationId: row.organizationId,
      detail: { name: row.name, version_id: id },
    }),
  ]);
  if (deleted.length === 0) throw unknownVersion();
}

function selectVersions(ctx: Context, promptId: string, id?: string) {
  return ctx.db
    .select({ version: promptVersions, owner: users.name })
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.userId))
    .where(and(eq(promptVersions.promptId, promptId), id === undefined ? undefined : eq(promptVersions.id, id)))
    .$dynamic();
}

function versionView({ version, owner }: Awaited<ReturnType<typeof selectVersions>>[number]): PromptVersion {
  const { command, name, content, tags, userId } = version;
  return {
    id: version.id,
    prompt_id: version.promptId,
    parent_id: version.parentId,
    snapshot: { command, name, content, tags },
    commit_message: version.message === "" ? null : version.message,
    user_id: userId,
    user: userId !== null && owner !== null ? { id: userId, name: owner } : null,
    created_at: version.createdAt,
  };
}

function unknownVersion(): AppError {
  return new AppError("not_found", "This version is no longer stored", { param: "version_id" });
}
