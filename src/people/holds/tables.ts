import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "../../db/columns.ts";

/**
 * Legal holds on people and organizations. Triggers refuse to delete what belongs to them, whoever asks; `isHeld` finds
 * what they refuse. A hold that is lifted is deleted: the audit log keeps it.
 */
export const legalHolds = sqliteTable("legal_holds", {
  id: id(),
  kind: text("kind", { enum: ["person", "organization"] }).notNull(),
  /** The person or the organization. */
  targetId: text("target_id").notNull().unique(),
  reason: text("reason").notNull(),
  /** The administrator; not a foreign key, because the hold stays when they leave. */
  createdBy: text("created_by").notNull(),
  createdAt: createdAt(),
});
