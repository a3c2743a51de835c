import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { tryParseJson } from "../../lib/json.ts";

/** A message in the form for outlet filters. `timestamp` in epoch seconds. */
export interface BranchMessage {
  id: string;
  role: string;
  content: string;
  timestamp: number;
  [extra: string]: unknown;
}

interface Row {
  id: string;
  role: string;
  content: string;
  usage: string | null;
  created_at: number;
}

/** The branch of the caller's chat that ends with the message, root first; empty if there is none. */
export async function loadBranch(ctx: Context, chatId: string, messageId: string): Promise<BranchMessage[]> {
  const rows = await ctx.db.all<Row>(sql`
    WITH RECURSIVE path(number, parent_id, depth) AS (
      SELECT number, parent_id, 0 FROM messages
      WHERE chat_id = ${chatId} AND user_id = ${requireUser(ctx).id} AND id = ${messageId}
      UNION ALL
      SELECT m.number, m.parent_id, path.depth + 1 FROM path JOIN messages m ON m.chat_id = ${chatId} AND m.id = path.parent_id
    )
    SELECT m.id, m.role, m.content, m.usage, m.created_at
    FROM path JOIN messages m ON m.number = path.number ORDER BY path.depth DESC`);
  return rows.map(({ id, role, content, usage, created_at: timestamp }) => {
    const said = usage === null ? undefined : tryParseJson(usage);
    return { id, role, content, timestamp, ...(said ? { usage: said } : {}) };
  });
}
