import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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

/** Texts that wait to be put into an index of pairs (`index-pairs.ts`); triggers add them (migration 0086). */
export const unpairedTexts = sqliteTable(
  "unpaired_texts",
  {
    /** Their table, and the number of their row. */
    source: text("source", { enum: ["messages", "chats", "channel_messages"] }).notNull(),
    number: integer("number").notNull(),
    /** Person or organization. */
    owner: text("owner").notNull(),
    /** Another one each time that the text changes. */
    version: text("version").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.number] }),
    index("unpaired_texts_owner").on(table.source, table.owner, table.number),
  ],
);
