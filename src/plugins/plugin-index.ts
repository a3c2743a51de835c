import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Settings } from "../context.ts";
import type { Database } from "../db/client.ts";
import { users } from "../people/users/tables.ts";
import { plugins } from "./tables.ts";

const { source: _source, code: _code, sealedValves: _sealedValves, ...shown } = getTableColumns(plugins);

/** What is said of a plugin without reading its source or its secrets: small enough to be kept in memory for all of them. */
export type PluginEntry = Omit<typeof plugins.$inferSelect, "source" | "code" | "sealedValves"> & {
  /** Whether an active system administrator owns it. */
  ownerIsAdmin: boolean;
};

/** The columns of a `PluginEntry`, for a select from `plugins` with `users` joined by `ownerOf`. */
export const entryColumns = {
  ...shown,
  ownerIsAdmin: sql<boolean>`coalesce(${users.role} = 'admin' AND ${users.active}, 0)`.mapWith(Boolean),
};
export const ownerOf = eq(users.id, plugins.userId);

/** Statement: every plugin, in the order in which they were made. */
export function selectPluginIndex(db: Database) {
  return db
    .select(entryColumns)
    .from(plugins)
    .leftJoin(users, ownerOf)
    .orderBy(plugins.createdAt, plugins.family, plugins.id);
}

/** The one plugin, in SQL. */
export function isPlugin(family: PluginEntry["family"], id: string) {
  return and(eq(plugins.family, family), eq(plugins.id, id))!;
}

/**
 * Whether a plugin takes part at all: plugins are on, and a function is switched on. Tools have no switch of their own: they
 * run where they are attached.
 */
export function isSwitchedOn(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  entry: Pick<PluginEntry, "family" | "isActive">,
): boolean {
  if (!settings.ENABLE_PLUGINS) return false;
  return entry.family === "tool" || (entry.isActive && !settings.SAFE_MODE);
}
