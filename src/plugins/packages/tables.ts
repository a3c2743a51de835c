import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json } from "../../db/columns.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { users } from "../../people/users/tables.ts";
import type { WheelIndex } from "./wheel-index.ts";

/** Wheels uploaded by administrators; their bytes are in object storage under `packages/<id>`. */
export const pluginPackages = sqliteTable(
  "plugin_packages",
  {
    id: id(),
    /** Whose plugins find it. */
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** Normalized (PEP 503). */
    name: text("name").notNull(),
    version: text("version").notNull(),
    filename: text("filename").notNull(),
    sha256: text("sha256").notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    /** Null for wheels that were stored before there was one: index-packages.ts makes it. */
    contents: json<WheelIndex>("contents"),
    /** A system administrator uploaded it: what such people write finds no other packages, as these see its valves. */
    byAdmin: flag("by_admin").notNull().default(false),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("plugin_packages_name").on(table.organizationId, table.name),
    index("plugin_packages_user").on(table.userId),
  ],
);
