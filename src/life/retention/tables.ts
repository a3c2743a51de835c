import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** When the periods of an organization are applied next. "" stands for what belongs to none. */
export const retentionRuns = sqliteTable("retention_runs", {
  organizationId: text("organization_id").primaryKey(),
  /** Epoch seconds. */
  dueAt: integer("due_at").notNull(),
  /** The last person whose files were looked at in a round that is not over; "" for a new one. */
  filesAfter: text("files_after").notNull().default(""),
});
