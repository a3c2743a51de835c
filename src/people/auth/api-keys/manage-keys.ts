import { and, desc, eq, lt, or, sql, type SQL } from "drizzle-orm";
import { requireAdmin, requireManager, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { escapeLike } from "../../../db/like.ts";
import { decodeCursor, encodeCursor } from "../../../db/page.ts";
import { AppError } from "../../../errors.ts";
import { users } from "../../users/tables.ts";
import { deleteKeys, requireSignedIn } from "./delete-keys.ts";
import { createEndpointList, type Route } from "./endpoint-list.ts";
import { toApiKey } from "./own-keys.ts";
import type { EndpointReport, ManagedApiKeyList, ManagedApiKeyQuery } from "./schema.ts";
import { apiKeys } from "./tables.ts";

/**
 * The people whose keys the caller manages: for an organization's administrators its people, except system
 * administrators.
 */
export function managed(user: User, people: "users" | "u"): SQL {
  if (user.role === "admin") return sql`1`;
  const table = sql.identifier(people);
  return sql`${table}.organization_id = ${user.organizationId} AND ${table}.role <> 'admin'`;
}

/**
 * A page of the keys of all people whom the caller manages, newest first. `total` counts all matches.
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function listManagedApiKeys(ctx: Context, input: ManagedApiKeyQuery): Promise<ManagedApiKeyList> {
  const user = requireManager(ctx);
  const filter = and(
    managed(user, "users"),
    matches(input.query),
    input.user_id ? eq(apiKeys.userId, input.user_id) : undefined,
  );
  const after = input.cursor === undefined ? undefined : lt(apiKeys.id, String(decodeCursor(input.cursor, 1)[0]));
  const [rows, [counted]] = await ctx.db.batch([
    ctx.db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        hint: apiKeys.hint,
        allowedEndpoints: apiKeys.allowedEndpoints,
        createdAt: apiKeys.createdAt,
        expiresAt: apiKeys.expiresAt,
        lastUsedAt: apiKeys.lastUsedAt,
        user: {
          id: users.id,
          name: users.name,
          email: users.email,
          kind: users.kind,
          organization_id: users.organizationId,
        },
      })
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      .where(and(filter, after))
      .orderBy(desc(apiKeys.id))
      .limit(input.limit + 1),
    ctx.db
      .select({ total: sql<number>`count(*)` })
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      .where(filter),
  ]);
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  return {
    api_keys: shown.map((row) => ({ ...toApiKey(row), user: row.user })),
    total: counted!.total,
    next_cursor: rows.length > input.limit && last ? encodeCursor([last.id]) : null,
  };
}

function matches(query: string | undefined): SQL | undefined {
  if (!query?.trim()) return undefined;
  const pattern = `%${escapeLike(query.trim())}%`;
  return or(
    sql`${apiKeys.name} LIKE ${pattern} ESCAPE '\\'`,
    sql`${users.name} LIKE ${pattern} ESCAPE '\\'`,
    sql`${users.email} LIKE ${pattern} ESCAPE '\\'`,
    eq(apiKeys.hint, query.trim()),
  );
}

/**
 * @throws AppError `not_found` for a key of a person whom the caller does not manage; `forbidden` if the caller is a
 *   key.
 */
export async function revokeApiKey(ctx: Context, keyId: string): Promise<void> {
  requireSignedIn(ctx);
  const user = requireManager(ctx);
  const { deleted } = await deleteKeys(ctx, sql`k.id = ${keyId} AND ${managed(user, "u")}`);
  if (deleted === 0) throw new AppError("not_found", "No such API key");
}

/**
 * Deletes all keys of one person, or of all people whom the caller manages.
 * @returns how many there were
 * @throws AppError `not_found` for a person whom the caller does not manage; `forbidden` if the caller is a key.
 */
export async function revokeApiKeys(ctx: Context, userId: string | undefined): Promise<number> {
  requireSignedIn(ctx);
  const user = requireManager(ctx);
  const theirs = sql`${userId === undefined ? sql`1` : sql`u.id = ${userId}`} AND ${managed(user, "u")}`;
  const known = sql`SELECT EXISTS (SELECT 1 FROM users u WHERE ${theirs}) AS known`;
  const { deleted, before } = await deleteKeys<{ known: number }>(ctx, theirs, known);
  if (userId !== undefined && !before[0]!.known) throw new AppError("not_found", "No such person");
  return deleted;
}

/** What the list of allowed endpoints comes to, so that a typo shows. @param routes every route there is */
export function reportEndpoints(ctx: Context, routes: readonly Route[]): EndpointReport {
  requireAdmin(ctx);
  return {
    restricted: ctx.settings.ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS,
    ...createEndpointList().explain(ctx.settings.API_KEYS_ALLOWED_ENDPOINTS, routes),
    routes: routes.map(({ method, path }) => `${method} ${path}`),
  };
}
