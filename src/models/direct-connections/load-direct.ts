import { and, eq } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { Vault } from "../../ports.ts";
import { readQuirks } from "../calling/read-options.ts";
import { usualPolicy } from "../calling/schema.ts";
import { blankConnection, type Connection } from "../connections/connection.ts";
import { directPrefix } from "./direct-id.ts";
import { mayUseDirect } from "./may-use-direct.ts";
import { directConnections } from "./tables.ts";

export type DirectRow = typeof directConnections.$inferSelect;

/**
 * The caller's own connections that are in use, oldest first: none where they may not have any, otherwise one round trip.
 * They are never kept between requests.
 */
export async function loadDirectConnections(ctx: Pick<Context, "actor" | "settings" | "db" | "vault">) {
  if (!mayUseDirect(ctx)) return [];
  const rows = await ctx.db
    .select()
    .from(directConnections)
    .where(and(eq(directConnections.userId, requireUser(ctx).id), eq(directConnections.enabled, true)))
    .orderBy(directConnections.createdAt, directConnections.id);
  return Promise.all(rows.map((row) => openDirectConnection(ctx.vault, row)));
}

/** With its key decrypted. If that fails, it is marked as unusable. */
export async function openDirectConnection(vault: Vault, row: DirectRow): Promise<Connection> {
  const { userId, sealedKey, prefixId, quirks, ...rest } = row;
  const connection: Connection = {
    ...blankConnection,
    ...rest,
    ownerId: userId,
    prefixId: directPrefix(prefixId),
    quirks: readQuirks(quirks),
    // Nobody expects a call with their key to go anywhere else.
    policy: { ...usualPolicy, fail_over: false },
  };
  try {
    if (sealedKey !== null) connection.key = await vault.open(sealedKey);
  } catch {
    connection.unusable = `The key of ${row.name} cannot be decrypted with this service's keys: enter it again`;
  }
  return connection;
}
