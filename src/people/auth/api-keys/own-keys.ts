import { desc, eq, sql } from "drizzle-orm";
import { requireUser, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { newId } from "../../../lib/id.ts";
import { randomToken } from "../../../lib/random-token.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { deleteKeys, requireSignedIn } from "./delete-keys.ts";
import { hashApiKey } from "./hash-api-key.ts";
import { requireKeysAllowed } from "./may-use-keys.ts";
import type { ApiKey, ApiKeyList, NewApiKey, NewestApiKey } from "./schema.ts";
import { apiKeys } from "./tables.ts";

/** Maximum number of keys per person. */
export const maxKeys = 50;

/** The default name of a key. */
export const unnamedKey = "API key";

/** A person who has signed in and may have keys. @throws AppError `forbidden`, `key_not_allowed` */
export function requireKeyCreator(ctx: Context): User {
  const user = requireSignedIn(ctx);
  requireKeysAllowed(user, ctx.settings);
  return user;
}

/**
 * Creates a key that acts as the caller. The secret is returned only here.
 * @throws AppError `forbidden` if the caller is a key (403); `key_not_allowed` while keys are switched off, for
 *   administrators too, and without the permission (403); `conflict` above the maximum number of keys.
 */
export async function createApiKey(ctx: Context, name: string | null | undefined): Promise<NewApiKey> {
  const user = requireKeyCreator(ctx);
  const secret = newSecret();
  const row = {
    id: newId(),
    userId: user.id,
    name: name || unnamedKey,
    hash: await hashApiKey(secret),
    hint: secret.slice(-4),
    createdAt: ctx.now(),
  };
  const room = sql`(SELECT count(*) FROM api_keys WHERE user_id = ${user.id}) < ${maxKeys}`;
  const exists = sql`EXISTS (SELECT 1 FROM users WHERE id = ${user.id})`;
  const [made, , [person]] = await ctx.db.batch([
    insertWhere(ctx.db, apiKeys, row, sql`${room} AND ${exists}`).returning({ id: apiKeys.id }),
    auditRowIf(ctx, {
      action: "api_key.created",
      targetType: "api_key",
      targetId: row.id,
      organizationId: user.organizationId,
      detail: { name: row.name, user_id: user.id },
    }),
    ctx.db.all<{ known: number }>(sql`SELECT ${exists} AS known`),
  ]);
  if (made.length === 0 && person!.known)
    throw new AppError("conflict", `You have ${maxKeys} keys, which is the limit: delete one that you do not use`);
  if (made.length === 0) throw new AppError("session_ended", "The account was deleted");
  return { id: row.id, name: row.name, api_key: secret, created_at: row.createdAt };
}

/** The caller's keys, newest first. */
export async function listApiKeys(ctx: Context): Promise<ApiKeyList> {
  const user = requireUser(ctx);
  const rows = await selectKeys(ctx, user.id);
  return { api_keys: rows.map(toApiKey) };
}

/**
 * The caller's newest key, for clients that support only one.
 * @throws AppError `not_found` if there is none.
 */
export async function getNewestApiKey(ctx: Context): Promise<NewestApiKey> {
  const user = requireUser(ctx);
  const [row] = await selectKeys(ctx, user.id).limit(1);
  if (!row) throw new AppError("not_found", "You have no API key");
  return { ...toApiKey(row), api_key: null };
}

/** @throws AppError `not_found` for a key that is not the caller's; `forbidden` if the caller is a key. */
export async function deleteApiKey(ctx: Context, keyId: string): Promise<void> {
  const user = requireSignedIn(ctx);
  const { deleted } = await deleteKeys(ctx, sql`k.id = ${keyId} AND k.user_id = ${user.id}`);
  if (deleted === 0) throw new AppError("not_found", "No such API key");
}

/**
 * Deletes all keys of the caller, for clients that support only one and expect none afterwards.
 * @returns whether there was one
 */
export async function deleteOwnApiKeys(ctx: Context): Promise<boolean> {
  const user = requireSignedIn(ctx);
  const { deleted } = await deleteKeys(ctx, sql`k.user_id = ${user.id}`);
  return deleted > 0;
}

function selectKeys(ctx: Context, userId: string) {
  return ctx.db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(desc(apiKeys.id)).$dynamic();
}

type KeyRow = Pick<
  typeof apiKeys.$inferSelect,
  "id" | "name" | "hint" | "allowedEndpoints" | "createdAt" | "expiresAt" | "lastUsedAt"
>;

export function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    allowed_endpoints: row.allowedEndpoints,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
  };
}

/** A new key's secret: 32 random bytes behind `sk-`. */
export function newSecret(): string {
  return `sk-${randomToken()}`;
}
