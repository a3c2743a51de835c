import { integer, index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, json, updatedAt } from "../db/columns.ts";
import { importSources, itemStates } from "./schema.ts";

/** Imports of a whole service's data, one for each source: the same source again goes on with the same one. */
export const imports = sqliteTable("imports", {
  id: id(),
  source: text("source", { enum: importSources }).notNull(),
  /** What the source calls itself, the same in every copy of it. */
  fingerprint: text("fingerprint").notNull().unique(),
  /** What people call it: a file or an address, without secrets. */
  name: text("name").notNull(),
  /** Who began it; not a foreign key, because the map stays when they leave. */
  userId: text("user_id").notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** What became of each record of an import: the map from ids of the source to ids here. */
export const importItems = sqliteTable(
  "import_items",
  {
    importId: text("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** Id at the source. */
    sourceId: text("source_id").notNull(),
    /** Id here; null for what was left out. */
    targetId: text("target_id"),
    state: text("state", { enum: itemStates }).notNull(),
    /** What was changed or left out, and why. */
    notes: json<string[]>("notes").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.kind, table.sourceId] }),
    index("import_items_state").on(table.importId, table.state, table.kind, table.sourceId),
  ],
);
