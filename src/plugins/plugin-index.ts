import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Settings } from "../context.ts";
import type { Database } from "../db/client.ts";
import { users } from "../people/users/tables.ts";
import { plugins } from "./tables.ts";

const { source: _source, code: _code, sealedValves: _sealedValves, ...shown } = getTableColumns(plugins);

/** A plugin without its source and secrets: small enough to keep all of them in memory. */
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

/** Statement: all plugins, in order of creation. */
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
 * Whether a plugin is active at all: plugins are on, and a function is switched on. Tools have no switch: they run
 * where they are attached.
 */
export function isSwitchedOn(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  entry: Pick<PluginEntry, "family" | "isActive">,
): boolean {
  if (!settings.ENABLE_PLUGINS) return false;
  return entry.family === "tool" || (entry.isActive && !settings.SAFE_MODE);
}
