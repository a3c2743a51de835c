import { sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isHeld } from "../../people/holds/is-held.ts";
import { ownedTables, sharedFile } from "./owned.ts";
import type { ErasurePlan } from "./schema.ts";

/**
 * What an erasure of the person would remove, hand over and make anonymous. Changes nothing.
 * @throws AppError `forbidden`, `not_found`
 */
export async function planErasure(ctx: Context, userId: string): Promise<ErasurePlan> {
  requireAdmin(ctx);
  const { db } = ctx;
  const own = (table: string) => sql`(SELECT count(*) FROM ${sql.raw(table)} WHERE user_id = ${userId})`;
  const shared = sharedFile(userId);
  const owned = ownedTables(userId).flatMap(({ kind, table, others }) => [
    sql`${`handed_over.${kind}`}, (SELECT count(*) FROM ${sql.raw(table)} WHERE user_id = ${userId} AND ${others})`,
    sql`${`removed.${kind}`}, ${
      table === "channels"
        ? sql`0`
        : sql`(SELECT count(*) FROM ${sql.raw(table)} WHERE user_id = ${userId} AND NOT ${others})`
    }`,
  ]);
  const pairs = [
    ...owned,
    sql`'handed_over.files', (SELECT count(*) FROM files WHERE user_id = ${userId} AND ${shared})`,
    sql`'removed.files', (SELECT count(*) FROM files WHERE user_id = ${userId} AND NOT ${shared})`,
    sql`'removed.chats', ${own("chats")}`,
    sql`'removed.memories', ${own("memories")}`,
    sql`'removed.ratings', ${own("feedback")}`,
    sql`'removed.responses', ${own("stored_responses")}`,
    sql`'removed.api_keys', ${own("api_keys")}`,
    sql`'removed.sessions', ${own("sessions")}`,
    sql`'removed.tool_servers', ${own("tool_servers")}`,
    sql`'removed.direct_connections', ${own("direct_connections")}`,
    sql`'removed.reactions', ${own("channel_reactions")}`,
    sql`'anonymised.channel_messages', ${own("channel_messages")}`,
    sql`'anonymised.calls', ${own("usage_records")}`,
    sql`'anonymised.usage_days', ${own("usage_days")}`,
  ];
  const [row] = await db.all<{ counts: string; bytes: number; held: number; erasure_id: string | null }>(sql`
    SELECT json_object(${sql.join(pairs, sql`, `)}) AS counts,
      coalesce((SELECT sum(size) FROM files WHERE user_id = ${userId} AND NOT ${shared}), 0)
        + coalesce((SELECT sum(octet_length(m.content)) FROM chats c JOIN messages m ON m.chat_id = c.id WHERE c.user_id = ${userId}), 0) AS bytes,
      ${isHeld(sql`users.id`)} AS held, (SELECT e.id FROM erasures e WHERE e.user_id = users.id) AS erasure_id
    FROM users WHERE users.id = ${userId}`);
  if (!row) throw new AppError("not_found", "No such person");
  const counts = Object.entries(JSON.parse(row.counts) as Record<string, number>).filter(([, count]) => count > 0);
  return {
    counts: Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    bytes: row.bytes,
    held: row.held === 1,
    erasure_id: row.erasure_id,
  };
}
