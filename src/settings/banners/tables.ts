import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, id } from "../../db/columns.ts";
import { bannerTypes } from "./schema.ts";

/** Notices above every page. They are not among the settings, because these are read with every request. */
export const banners = sqliteTable("banners", {
  id: id(),
  /** From 0, from top to bottom. */
  position: integer("position").notNull(),
  type: text("type", { enum: bannerTypes }).notNull(),
  title: text("title"),
  content: text("content").notNull(),
  dismissible: flag("dismissible").notNull(),
  /** Epoch seconds. */
  timestamp: integer("timestamp").notNull(),
});
