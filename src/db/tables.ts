import { sqliteTable, text, integer } from "drizzle-orm/sqlite-core";
import { json, updatedAt } from "./columns.ts";

/** Values that administrators changed; everything else is environment or default. */
export const settings = sqliteTable("settings", {
  name: text("name").primaryKey(),
  value: json<unknown>("value").notNull(),
  updatedAt: updatedAt(),
});

/** Versions of what may be cached: a cached copy is used only while its stamp equals the one read in the same request. */
export const stamps = sqliteTable("stamps", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});
