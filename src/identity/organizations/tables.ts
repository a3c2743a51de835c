import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";

export const organizations = sqliteTable("organizations", {
  id: id(),
  name: text("name").notNull(),
  active: flag("active").notNull().default(true),
  /** Where people land for whom no rule decides; exactly one row has it. */
  isDefault: flag("is_default").notNull().default(false),
  /** Models its people see; null for all. */
  modelIds: json<string[] | null>("model_ids"),
  features: json<Record<string, boolean>>("features").notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
