import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, json, updatedAt } from "../../db/columns.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { users } from "../../people/users/tables.ts";
import { downloadStates, type PlannedPackage, type PresentPackage } from "./downloads/schema.ts";
import type { WheelIndex } from "./wheel-index.ts";

/** Wheels that administrators uploaded or had fetched; their bytes are in object storage under `packages/<id>`. */
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

/** A wheel of a download that is in object storage, and not offered to plugins yet. */
export interface FetchedWheel {
  id: string;
  size: number;
  contents: WheelIndex;
}

/**
 * Packages that are fetched from registries: planned first, and fetched when somebody has agreed. They are offered to plugins all at
 * once, when the last one has arrived. Triggers drop what was fetched of a download that comes to nothing.
 */
export const packageDownloads = sqliteTable(
  "package_downloads",
  {
    id: id(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** As in `plugin_packages`. */
    byAdmin: flag("by_admin").notNull(),
    state: text("state", { enum: downloadStates }).notNull(),
    /** Requirements that were asked for. */
    wanted: json<string[]>("wanted").notNull(),
    /** Each becomes a row of `plugin_packages` with its id. */
    packages: json<(PlannedPackage & { id: string; url: string })[]>("packages").notNull(),
    /** What is needed and there already. */
    present: json<PresentPackage[]>("present").notNull(),
    fetched: json<FetchedWheel[]>("fetched").notNull(),
    /** What it is at, for people. */
    status: text("status").notNull().default(""),
    /** Bytes. */
    completed: integer("completed").notNull().default(0),
    error: text("error"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("package_downloads_organization").on(table.organizationId, table.createdAt),
    index("package_downloads_user").on(table.userId),
  ],
);
