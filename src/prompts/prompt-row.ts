import { eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { User } from "../access.ts";
import type { Database } from "../db/client.ts";
import { grantView, type Grant } from "../people/grants/grant.ts";
import { amongUsable, mayUse, type Right, type Shared, subjectOf } from "../people/grants/may-use.ts";
import { grants } from "../people/grants/tables.ts";
import { users } from "../people/users/tables.ts";
import type { PromptView } from "./schema.ts";
import { prompts } from "./tables.ts";

const shared: Shared = { table: "prompts", type: "prompt" };

/**
 * A condition over the table `prompts` (under that name): whether the person may read or change a prompt. Allowed are
 * system administrators; administrators of its organization; its creator while in that organization; and the people in
 * its grants.
 */
export function readablePrompt(user: User, right: Right = "read"): SQL {
  if (user.role === "admin") return sql`TRUE`;
  if (user.role !== "user") return sql`FALSE`;
  return mayUse(subjectOf(user), right, shared);
}

/** A condition over the table `prompts` that keeps lists to what the person may see; `readablePrompt` stands beside it. */
export function amongReadablePrompts(user: User): SQL {
  return user.role === "admin" ? sql`TRUE` : amongUsable(user, shared);
}

/** Whether it is offered to the person in chats: prompts that they only administer are not. */
export function offeredPrompt(user: User): SQL {
  return sql`(prompts.is_active AND ${mayUse({ ...subjectOf(user), manages: sql`FALSE` }, "read", shared)})`;
}

/** Statement: matching prompts that the person may read, with the columns for the view. */
export function selectPrompts(db: Database, user: User, condition?: SQL) {
  return db
    .select({
      ...getTableColumns(prompts),
      canWrite: sql`${readablePrompt(user, "write")}`.mapWith(Boolean).as("can_write"),
      owner: users.name,
    })
    .from(prompts)
    .leftJoin(users, eq(users.id, prompts.userId))
    .where(sql`${readablePrompt(user)} AND ${condition ?? sql`TRUE`}`)
    .$dynamic();
}

export type PromptRow = Awaited<ReturnType<typeof selectPrompts>>[number];

/**
 * Statement: the grants of prompts.
 * @param ids SQL for use after IN
 */
export function selectPromptGrants(db: Database, ids: SQL) {
  return db
    .select()
    .from(grants)
    .where(sql`${grants.resourceType} = 'prompt' AND ${grants.resourceId} IN ${ids}`)
    .orderBy(grants.id);
}

/** A prompt with the permissions of the caller. */
export function promptView(row: PromptRow, given: readonly (Grant & { resourceId: string })[]): PromptView {
  return {
    id: row.id,
    user_id: row.userId,
    organization_id: row.organizationId,
    command: row.command,
    name: row.name,
    content: row.content,
    tags: row.tags,
    is_active: row.isActive,
    version_id: row.versionId,
    access_grants: row.canWrite ? given.filter((grant) => grant.resourceId === row.id).map(grantView) : [],
    write_access: row.canWrite,
    user: row.userId !== null && row.owner !== null ? { id: row.userId, name: row.owner } : null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
