import { foreignKey, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag, json, updatedAt } from "../db/columns.ts";
import { organizations } from "../people/organizations/tables.ts";
import { users } from "../people/users/tables.ts";
import type { PluginBudget, PluginInfo } from "./plugin-host.ts";
import type { PluginOrigin } from "./schema.ts";

/** Functions and tools have separate ids, as in Open WebUI. */
export const pluginFamilies = ["function", "tool"] as const;

export const plugins = sqliteTable(
  "plugins",
  {
    family: text("family", { enum: pluginFamilies }).notNull(),
    /** Chosen by its creator: letters, digits, underscore; lower case. */
    id: text("id").notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** Home of its maker, whose packages it finds; null for what belongs to the whole service. */
    organizationId: text("organization_id").references(() => organizations.id, { onDelete: "set null" }),
    name: text("name").notNull(),
    type: text("type", { enum: ["pipe", "filter", "action", "tools"] }).notNull(),
    language: text("language", { enum: ["javascript", "python"] }).notNull(),
    /** As it was written. */
    source: text("source").notNull(),
    /** What isolates run: the source, for TypeScript without its types. */
    code: text("code").notNull(),
    /** Counts the changes of the source, from 1. */
    version: integer("version").notNull(),
    /** What clients keep with it; `description` and `manifest`. */
    meta: json<Record<string, unknown>>("meta").notNull(),
    info: json<PluginInfo>("info").notNull(),
    /** Hosts that it may fetch from. */
    hosts: json<string[]>("hosts").notNull(),
    isActive: flag("is_active").notNull().default(false),
    isGlobal: flag("is_global").notNull().default(false),
    /** Of tools, which run where they are attached: switched off for everyone. */
    isOff: flag("is_off").notNull().default(false),
    /** Where its source was imported from; null for what was typed in. */
    origin: json<PluginOrigin>("origin"),
    /** Null: none of its own. */
    budget: json<PluginBudget>("budget"),
    /** Address of the native runner that it runs on, outside of the sandbox; null: in the sandbox. */
    runner: text("runner"),
    /** `priority` of filters and actions as their valves have it now. */
    priority: integer("priority").notNull().default(0),
    /** Sealed JSON; null: the defaults. */
    sealedValves: text("sealed_valves"),
    /** Moves with every change of what an isolate is made of: code, valves, hosts, and where it runs. */
    fingerprint: text("fingerprint").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.family, table.id] }),
    index("plugins_user").on(table.userId),
    index("plugins_organization").on(table.organizationId),
  ],
);

export const pluginVersions = sqliteTable(
  "plugin_versions",
  {
    family: text("family", { enum: pluginFamilies }).notNull(),
    pluginId: text("plugin_id").notNull(),
    version: integer("version").notNull(),
    source: text("source").notNull(),
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.family, table.pluginId, table.version] }),
    index("plugin_versions_user").on(table.userId),
  ],
);

/** People's own settings. */
export const pluginUserValves = sqliteTable(
  "plugin_user_valves",
  {
    family: text("family", { enum: pluginFamilies }).notNull(),
    pluginId: text("plugin_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Sealed JSON. */
    sealedValues: text("sealed_values").notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.family, table.pluginId, table.userId] }),
    index("plugin_user_valves_user").on(table.userId),
  ],
);

/** What a plugin did, by day. Sums, without anything about persons. */
export const pluginDays = sqliteTable(
  "plugin_days",
  {
    family: text("family", { enum: pluginFamilies }).notNull(),
    pluginId: text("plugin_id").notNull(),
    /** Days since 1970 (UTC). */
    day: integer("day").notNull(),
    calls: integer("calls").notNull(),
    errors: integer("errors").notNull(),
    /** Of requests of the plugin: addresses, headers and bodies that it sent, bodies that it received. */
    bytesOut: integer("bytes_out").notNull(),
    bytesIn: integer("bytes_in").notNull(),
    /** Of all calls together. */
    durationMs: integer("duration_ms").notNull(),
    /** Largest memory of an isolate, in bytes; 0 where it was not measured. */
    memory: integer("memory").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.family, table.pluginId, table.day] }),
    foreignKey({ columns: [table.family, table.pluginId], foreignColumns: [plugins.family, plugins.id] }).onDelete(
      "cascade",
    ),
    index("plugin_days_day").on(table.day),
  ],
);

/** Hosts that a plugin called, or was kept from calling. */
export const pluginContacts = sqliteTable(
  "plugin_contacts",
  {
    family: text("family", { enum: pluginFamilies }).notNull(),
    pluginId: text("plugin_id").notNull(),
    /** With its port where it is not the usual one. */
    host: text("host").notNull(),
    isRefused: flag("is_refused").notNull(),
    requests: integer("requests").notNull(),
    bytesOut: integer("bytes_out").notNull(),
    bytesIn: integer("bytes_in").notNull(),
    /** Epoch seconds. */
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.family, table.pluginId, table.host, table.isRefused] }),
    foreignKey({ columns: [table.family, table.pluginId], foreignColumns: [plugins.family, plugins.id] }).onDelete(
      "cascade",
    ),
    index("plugin_contacts_last").on(table.lastAt),
  ],
);
