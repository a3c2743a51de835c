import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../lib/id.ts";
import { type AuditContext, type AuditedChange, auditValues } from "./audit-row.ts";
import { auditEvents } from "./tables.ts";

/**
 * A row for each of the things that a query finds at this moment, for batches that change many at once without knowing them.
 * @param found a SELECT with the columns `target_id`, `organization_id` and `detail` (JSON)
 */
export function auditRowsFrom(ctx: AuditContext, change: Pick<AuditedChange, "action" | "targetType">, found: SQL) {
  const values = auditValues(ctx, { ...change, targetId: "" });
  // UUIDv7s of this moment (RFC 9562, section 5.7): the time from here, the rest at random from the database.
  const time = newId().slice(0, 14);
  const id = sql`${time} || '7' || substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + abs(random() % 4), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;
  return ctx.db.insert(auditEvents).select(
    sql`SELECT ${id}, ${values.at}, ${values.actorId}, ${values.actorKind}, ${values.action}, ${values.targetType},
      f.target_id, f.organization_id, f.detail, ${values.requestId} FROM (${found}) f`,
  );
}
