import { foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { updatedAt } from "../../db/columns.ts";
import { users } from "../../people/users/tables.ts";
import { pluginFamilies, plugins } from "../tables.ts";

/**
 * SQLite files of plugins. Their bytes are in object storage under `plugin-databases/<object id>`: each save makes a new object, and
 * triggers drop the one before.
 */
export const pluginDatabases = sqliteTable(
  "plugin_databases",
  {
    family: text("family", { enum: pluginFamilies }).notNull(),
    pluginId: text("plugin_id").notNull(),
    /** For whom the plugin's isolate is: empty where it is one for everybody, otherwise the person of `user_id`. */
    holder: text("holder").notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Below the folder for data, such as `webui.db`. */
    path: text("path").notNull(),
    objectId: text("object_id").notNull(),
    /** As it is stored, which is packed; bytes. */
    size: integer("size").notNull(),
    /** Counts the saves, from 1. */
    version: integer("version").notNull(),
    /** The isolate that saved it, and which of its saves this is. */
    writer: text("writer").notNull(),
    serial: integer("serial").notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.family, table.pluginId, table.holder, table.path] }),
    foreignKey({ columns: [table.family, table.pluginId], foreignColumns: [plugins.family, plugins.id] }).onDelete(
      "cascade",
    ),
    index("plugin_databases_user").on(table.userId),
  ],
);
