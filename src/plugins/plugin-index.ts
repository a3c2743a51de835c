import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Settings } from "../context.ts";
import type { Database } from "../db/client.ts";
import { users } from "../people/users/tables.ts";
import { plugins, pluginVersions } from "./tables.ts";

const { source: _source, code: _code, sealedValves: _sealedValves, ...shown } = getTableColumns(plugins);

/** A plugin without its source and secrets: small enough to keep all of them in memory. */
export type PluginEntry = Omit<typeof plugins.$inferSelect, "source" | "code" | "sealedValves"> & {
  /** Of functions always; of a tool, whether active system administrators own it and wrote its current version. */
  isTrusted: boolean;
  /** Who wrote the current version, with the name they had when something of the catalogue last changed. */
  maker: { id: string; name: string } | null;
};

const ofCurrentVersion = sql`FROM ${pluginVersions} v JOIN ${users} m ON m.id = v.user_id
  WHERE v.family = ${plugins.family} AND v.plugin_id = ${plugins.id} AND v.version = ${plugins.version}`;

/** The columns of a `PluginEntry`, for a select from `plugins` with `users` joined by `ownerOf`. */
export const entryColumns = {
  ...shown,
  isTrusted: sql<boolean>`(${plugins.family} = 'function' OR (coalesce(${users.role} = 'admin' AND ${users.active}, 0)
    AND coalesce((SELECT m.role = 'admin' AND m.active ${ofCurrentVersion}), 0)))`.mapWith(Boolean),
  maker: sql<PluginEntry["maker"]>`(SELECT json_object('id', m.id, 'name', m.name) ${ofCurrentVersion})`.mapWith(
    (text: string) => JSON.parse(text) as PluginEntry["maker"],
  ),
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

/**
 * Whether the tool is the work of another person who is not an administrator: it runs with fewer rights than the caller
 * has, and its questions say whose it is.
 */
export function isForeign({ id }: { id: string }, { isTrusted, userId, maker }: PluginEntry): boolean {
  return !isTrusted && !(userId === id && maker?.id === id);
}

/** The one plugin, in SQL. */
export function isPlugin(family: PluginEntry["family"], id: string) {
  return and(eq(plugins.family, family), eq(plugins.id, id))!;
}

/**
 * Whether a plugin is active at all: plugins are on, a function is switched on, and a tool is not switched off. Tools that
 * are not run where they are attached.
 */
export function isSwitchedOn(
  settings: Pick<Settings, "ENABLE_PLUGINS" | "SAFE_MODE">,
  entry: Pick<PluginEntry, "family" | "isActive" | "isOff">,
): boolean {
  if (!settings.ENABLE_PLUGINS) return false;
  return entry.family === "tool" ? !entry.isOff : entry.isActive && !settings.SAFE_MODE;
}
