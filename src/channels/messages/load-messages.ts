import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../../context.ts";
import type { ChannelMessage } from "../schema.ts";
import { messageView } from "./message-view.ts";
import { selectMessages } from "./select-messages.ts";

/**
 * Messages in API format, without a permission check; oldest first. One statement.
 * @param which their ids, or a condition over `channel_messages` as `m`
 * @param reader whose view it is; null for the general view of events
 */
export async function loadMessages(
  services: Pick<Services, "db">,
  which: readonly string[] | SQL,
  reader: string | null = null,
): Promise<ChannelMessage[]> {
  const condition = isIds(which) ? sql`m.id IN (SELECT value FROM json_each(${JSON.stringify(which)}))` : which;
  const rows = await selectMessages(services.db, reader, sql`${condition} ORDER BY m.channel_id, m.seq`);
  return rows.map((row) => messageView(row, reader));
}

function isIds(which: readonly string[] | SQL): which is readonly string[] {
  return Array.isArray(which);
}
