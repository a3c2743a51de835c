import { inArray, sql, type SQL } from "drizzle-orm";
import { requireUser, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { auditRowsFrom } from "../../audit/audit-rows-from.ts";
import { recheckPeople } from "../../recheck.ts";
import { apiKeys } from "./tables.ts";

/**
 * A person who has signed in: keys make and delete no keys, so that one that leaks can neither multiply nor lock its owner out.
 * @throws AppError `forbidden` for a key.
 */
export function requireSignedIn(ctx: Context): User {
  const user = requireUser(ctx);
  if (user.credential.kind === "api-key")
    throw new AppError("forbidden", "API keys cannot create or delete keys: sign in first");
  return user;
}

/**
 * Deletes keys, in one batch with an audit row for each. They are refused from the next request on; what was opened with
 * them (sockets, streams, runs) is told to look again.
 * @param condition over `k` (api_keys) and `u` (their owners)
 * @param read a statement of the same transaction, run before anything is deleted
 * @returns how many there were, and what was read
 */
export async function deleteKeys<T extends object>(
  ctx: Context,
  condition: SQL,
  read: SQL = sql`SELECT 1`,
): Promise<{ deleted: number; before: T[] }> {
  const [before, , gone] = await ctx.db.batch([ctx.db.all<T>(read), ...deletedKeyRows(ctx, condition)]);
  const owners = [...new Set(gone.map((key) => key.userId))];
  await recheckPeople(ctx, owners);
  return { deleted: gone.length, before };
}

/**
 * The statements of it, for a batch that deletes keys together with something else.
 * @param condition over `k` (api_keys) and `u` (their owners)
 */
export function deletedKeyRows(ctx: Context, condition: SQL) {
  const found = sql`FROM api_keys k JOIN users u ON u.id = k.user_id WHERE ${condition}`;
  return [
    auditRowsFrom(
      ctx,
      { action: "api_key.deleted", targetType: "api_key" },
      sql`SELECT k.id AS target_id, u.organization_id AS organization_id, json_object('name', k.name, 'user_id', u.id) AS detail ${found}`,
    ),
    ctx.db
      .delete(apiKeys)
      .where(inArray(apiKeys.id, sql`(SELECT k.id ${found})`))
      .returning({ userId: apiKeys.userId }),
  ] as const;
}
