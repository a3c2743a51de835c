import { requireManager } from "../../access.ts";
import type { Context } from "../../context.ts";
import { decodeCursor, encodeCursor, wrongCursor } from "../../db/page.ts";
import type { AuditPage, AuditQuery } from "./schema.ts";
import { type Place, selectEvents, toAuditEvent } from "./select-events.ts";

/**
 * A page of the audit log, newest first; pages by cursor neither repeat nor skip anything, whatever is written meanwhile.
 * @throws AppError `forbidden` for who administers nothing; `bad_request` for a cursor that is none.
 */
export async function listEvents(ctx: Context, { cursor, limit, ...filter }: AuditQuery): Promise<AuditPage> {
  const user = requireManager(ctx);
  const rows = await selectEvents(ctx, user, filter, cursor === undefined ? undefined : placeOf(cursor), limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    events: shown.map(toAuditEvent),
    next_cursor: rows.length > limit && last ? encodeCursor([last.at, last.id]) : null,
  };
}

function placeOf(cursor: string): Place {
  const [at, id] = decodeCursor(cursor, 2);
  if (typeof at !== "number" || typeof id !== "string") throw wrongCursor();
  return [at, id];
}
