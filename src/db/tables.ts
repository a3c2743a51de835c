import { sqliteTable, text, integer } from "drizzle-orm/sqlite-core";
import { json, updatedAt } from "./columns.ts";

/** Values that administrators changed; all others come from the environment or the defaults. */
export const settings = sqliteTable("settings", {
  name: text("name").primaryKey(),
  value: json<unknown>("value").notNull(),
  updatedAt: updatedAt(),
});

/** Versions of cacheable data: a cached copy is used only while its stamp equals the one read in the same request. */
export const stamps = sqliteTable("stamps", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});
