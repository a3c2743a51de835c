import { sql, type SQL } from "drizzle-orm";
import { requireManager, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { requireSignedIn } from "../auth/api-keys/delete-keys.ts";
import { createEndpointList, type Route } from "../auth/api-keys/endpoint-list.ts";
import { hashApiKey } from "../auth/api-keys/hash-api-key.ts";
import { managed } from "../auth/api-keys/manage-keys.ts";
import { maxKeys, newSecret, unnamedKey } from "../auth/api-keys/own-keys.ts";
import { apiKeys } from "../auth/api-keys/tables.ts";
import { hasGrantsBeyond } from "../groups/granted-leaves.ts";
import { recheckPeople } from "../recheck.ts";
import { stillManages } from "../still-manages.ts";
import { organizationOf } from "../users/organization-of.ts";
import type { KeyRotation, MadeServiceKey, NewServiceKey } from "./schema.ts";

/** An administrator who has signed in, while there are keys. @throws AppError `forbidden`, `key_not_allowed` */
export function requireServiceKeys(ctx: Context): User {
  requireSignedIn(ctx);
  const user = requireManager(ctx);
  if (!ctx.settings.ENABLE_API_KEYS) throw new AppError("key_not_allowed", "API keys are switched off");
  return user;
}

/** SQL: whether this is a service account that the administrator manages now. */
function managesService(actor: User, userId: string): SQL {
  return sql`(${stillManages(actor)} AND EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.kind = 'service' AND ${managed(actor, "u")}))`;
}

function beyondYou(): AppError {
  return new AppError(
    "forbidden",
    "The account has permissions through its groups that you do not have: only a system administrator makes its keys",
  );
}

/**
 * Makes a key of a service account, with a list of what it can call and an end. The secret is returned only here.
 * @param routes every route there is
 * @throws AppError `forbidden`, also where the account has permissions that the caller does not have; `key_not_allowed`; `not_found` for a person, and for an account that the caller does not manage;
 *   `validation_failed` for entries that match no route, and for an end in the past; `conflict` above the maximum number of keys
 */
export async function createServiceKey(
  ctx: Context,
  userId: string,
  input: NewServiceKey,
  routes: readonly Route[],
): Promise<MadeServiceKey> {
  const actor = requireServiceKeys(ctx);
  const allowedEndpoints = input.allowed_endpoints ?? null;
  const expiresAt = input.expires_at ?? null;
  requireKnownEndpoints(allowedEndpoints, routes);
  if (expiresAt !== null && expiresAt <= ctx.now()) throw invalid("expires_at", "must be in the future");
  const secret = newSecret();
  const row = {
    id: newId(),
    userId,
    name: input.name || unnamedKey,
    hash: await hashApiKey(secret),
    hint: secret.slice(-4),
    allowedEndpoints,
    createdAt: ctx.now(),
    expiresAt,
  };
  const may = managesService(actor, userId);
  // Who has its key has its rights.
  const beyond = hasGrantsBeyond(actor, userId);
  const room = sql`(SELECT count(*) FROM api_keys WHERE user_id = ${userId}) < ${maxKeys}`;
  const [made, , [state]] = await ctx.db.batch([
    insertWhere(ctx.db, apiKeys, row, sql`${may} AND NOT ${beyond} AND ${room}`).returning({ id: apiKeys.id }),
    auditRowIf(ctx, {
      action: "api_key.created",
      targetType: "api_key",
      targetId: row.id,
      organizationId: organizationOf(userId),
      detail: { name: row.name, user_id: userId, allowed_endpoints: allowedEndpoints, expires_at: expiresAt },
    }),
    ctx.db.all<{ may: number; beyond: number }>(sql`SELECT ${may} AS may, ${beyond} AS beyond`),
  ]);
  if (!state!.may) throw new AppError("not_found", "No such service account");
  if (state!.beyond) throw beyondYou();
  if (made.length === 0)
    throw new AppError("conflict", `The account has ${maxKeys} keys, which is the limit: delete one that is not used`);
  return { ...shown(row), api_key: secret };
}

/**
 * Gives a key a new secret: a new key with the same name, list and end. The old one ends now, or after a while in which both work.
 * @throws AppError as `createServiceKey`; `not_found` also for a key that has ended; `conflict` while there is no room for both
 */
export async function rotateServiceKey(
  ctx: Context,
  userId: string,
  keyId: string,
  { keep_old_seconds: keptSeconds }: KeyRotation,
): Promise<MadeServiceKey> {
  const actor = requireServiceKeys(ctx);
  const secret = newSecret();
  const id = newId();
  const now = ctx.now();
  const hash = await hashApiKey(secret);
  const may = managesService(actor, userId);
  const beyond = hasGrantsBeyond(actor, userId);
  const current = sql`(expires_at IS NULL OR expires_at > ${now})`;
  const old = sql`FROM api_keys WHERE id = ${keyId} AND user_id = ${userId} AND ${current}`;
  const room = sql`(SELECT count(*) FROM api_keys WHERE user_id = ${userId}) < ${maxKeys + (keptSeconds === 0 ? 1 : 0)}`;
  const isMade = sql`EXISTS (SELECT 1 FROM api_keys WHERE id = ${id})`;
  const [[state], , , , , [row]] = await ctx.db.batch([
    ctx.db.all<{ may: number; beyond: number; found: number }>(
      sql`SELECT ${may} AS may, ${beyond} AS beyond, EXISTS (SELECT 1 ${old}) AS found`,
    ),
    ctx.db.run(sql`INSERT INTO api_keys (id, user_id, name, hash, hint, allowed_endpoints, created_at, expires_at)
      SELECT ${id}, user_id, name, ${hash}, ${secret.slice(-4)}, allowed_endpoints, ${now}, expires_at ${old} AND ${may} AND NOT ${beyond} AND ${room}`),
    auditRowIf(ctx, {
      action: "api_key.rotated",
      targetType: "api_key",
      targetId: keyId,
      organizationId: organizationOf(userId),
      detail: sql`json_object('name', (SELECT name FROM api_keys WHERE id = ${id}), 'user_id', ${userId}, 'new_id', ${id},
        'keep_old_seconds', ${keptSeconds})`,
    }),
    ctx.db.run(
      sql`UPDATE api_keys SET expires_at = min(coalesce(expires_at, ${now + keptSeconds}), ${now + keptSeconds})
        WHERE id = ${keyId} AND ${keptSeconds > 0} AND ${isMade}`,
    ),
    ctx.db.run(sql`DELETE FROM api_keys WHERE id = ${keyId} AND ${keptSeconds === 0} AND ${isMade}`),
    ctx.db
      .select()
      .from(apiKeys)
      .where(sql`${apiKeys.id} = ${id}`),
  ]);
  if (!state!.may) throw new AppError("not_found", "No such service account");
  if (state!.beyond) throw beyondYou();
  if (!state!.found) throw new AppError("not_found", "No such API key");
  if (!row)
    throw new AppError("conflict", `The account has ${maxKeys} keys, which is the limit: delete one that is not used`);
  // What was opened with the old one ends now.
  if (keptSeconds === 0) await recheckPeople(ctx, [userId]);
  return { ...shown(row), api_key: secret };
}

function shown(row: Pick<typeof apiKeys.$inferSelect, "id" | "name" | "allowedEndpoints" | "expiresAt" | "createdAt">) {
  return {
    id: row.id,
    name: row.name,
    allowed_endpoints: row.allowedEndpoints,
    expires_at: row.expiresAt,
    created_at: row.createdAt,
  };
}

/** A typo would allow nothing, and nobody would see it before the machine is refused. */
function requireKnownEndpoints(list: string | null, routes: readonly Route[]): void {
  if (list === null) return;
  const { entries, unknown } = createEndpointList().explain(list, routes);
  if (entries.length === 0) throw invalid("allowed_endpoints", "names no endpoint");
  if (unknown.length > 0)
    throw invalid("allowed_endpoints", `no such endpoint: ${unknown.slice(0, 5).join(", ").slice(0, 300)}`);
}

function invalid(path: string, message: string): AppError {
  return new AppError("validation_failed", `${path}: ${message}`, { param: path, issues: [{ path, message }] });
}
