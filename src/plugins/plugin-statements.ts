import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { User } from "../access.ts";
import type { Context } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import { newId } from "../lib/id.ts";
import { auditRow, auditRowIf } from "../people/audit/audit-row.ts";
import { replaceGrants } from "../people/grants/grants.ts";
import type { GrantView } from "../people/grants/schema.ts";
import { grants } from "../people/grants/tables.ts";
import { users } from "../people/users/tables.ts";
import type { LoadedPlugin } from "./describe-source.ts";
import { type Family, selectToolGrants } from "./find-plugin.ts";
import type { PluginBudget } from "./plugin-host.ts";
import { entryColumns, isPlugin, ownerOf, type PluginEntry } from "./plugin-index.ts";
import { ownMeta } from "./plugin-view.ts";
import type { PluginOrigin } from "./schema.ts";
import { plugins, pluginVersions } from "./tables.ts";

export type Statement = BatchItem<"sqlite">;
type Row = typeof plugins.$inferInsert;

/** Sources of so many versions are kept. */
const keptVersions = 50;

export interface PluginDraft {
  family: Family;
  id: string;
  name: string;
  loaded: LoadedPlugin;
  meta: Record<string, unknown>;
  hosts: string[];
  isActive?: boolean;
  isGlobal?: boolean;
  sealedValves?: string | null;
  priority: number;
  origin?: PluginOrigin | null | undefined;
  budget?: PluginBudget | null;
  runner?: string | null;
  /** Of tools. */
  isOff?: boolean;
  grants?: GrantView[];
  /** When it was made and changed elsewhere, in epoch seconds. */
  times?: { createdAt: number; updatedAt: number } | undefined;
}

/** Whose it is; null for nobody's. */
export interface PluginMaker {
  id: string | null;
  organizationId: string | SQL | null;
}

const thePlugin = (family: Family, id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${plugins} WHERE ${isPlugin(family, id)})`;

/** All statements of a new plugin; an existing id fails the whole batch. */
export function insertPlugin(ctx: Context, maker: PluginMaker, draft: PluginDraft): Statement[] {
  const { family, id, loaded } = draft;
  const { info, source, code } = loaded;
  const now = ctx.now();
  return [
    insertWhere(
      ctx.db,
      plugins,
      {
        family,
        id,
        userId: maker.id,
        organizationId: maker.organizationId,
        name: draft.name,
        type: info.type,
        language: info.language,
        source,
        code,
        version: 1,
        meta: ownMeta(draft.meta, info.manifest),
        info,
        hosts: draft.hosts,
        isActive: draft.isActive ?? false,
        isGlobal: draft.isGlobal ?? false,
        priority: draft.priority,
        sealedValves: draft.sealedValves ?? null,
        origin: draft.origin ?? null,
        budget: draft.budget ?? null,
        runner: draft.runner ?? null,
        isOff: draft.isOff ?? false,
        fingerprint: newId(),
        createdAt: now,
        updatedAt: now,
        ...draft.times,
      },
      sql`1`,
    ),
    ctx.db
      .insert(pluginVersions)
      .values({ family, pluginId: id, version: 1, source, userId: maker.id, createdAt: now }),
    ...(draft.grants ? replaceGrants(ctx, "tool", id, draft.grants, thePlugin(family, id)) : []),
    auditRow(ctx, {
      action: `${family}.created`,
      targetType: family,
      targetId: id,
      ...(family === "tool" ? { organizationId: maker.organizationId } : {}),
      detail: {
        name: draft.name,
        type: info.type,
        language: info.language,
        hosts: draft.hosts,
        ...(draft.origin ? { origin: draft.origin.from } : {}),
        ...(draft.runner ? { runner: draft.runner } : {}),
        ...(draft.grants ? { access_grants: draft.grants } : {}),
        ...(draft.sealedValves ? { valves: "set" } : {}),
      },
    }),
  ];
}

export interface PluginUpdate {
  name?: string | undefined;
  /** Set where the source was read again; `isNew`: it differs from what is stored. */
  loaded?: (LoadedPlugin & { isNew: boolean }) | undefined;
  meta?: Record<string, unknown> | undefined;
  hosts?: string[] | undefined;
  isActive?: boolean | undefined;
  isGlobal?: boolean | undefined;
  /** What they are sealed to, or null for the defaults. */
  sealedValves?: string | null | undefined;
  priority?: number | undefined;
  origin?: PluginOrigin | null | undefined;
  budget?: PluginBudget | null | undefined;
  runner?: string | null | undefined;
  /** Of tools. */
  isOff?: boolean | undefined;
  grants?: GrantView[] | undefined;
}

/**
 * The statements of a change, with its audit row; the update of the row is the last but one.
 * @param condition must hold for the row at that moment, otherwise nothing changes
 */
export function updatePlugin(
  ctx: Context,
  user: User,
  entry: PluginEntry,
  update: PluginUpdate,
  condition: SQL | undefined,
): Statement[] {
  const { family, id } = entry;
  const { loaded, hosts } = update;
  const meta = update.meta ?? (loaded ? entry.meta : undefined);
  // What an administrator has moved out of the sandbox meanwhile, nobody else changes any more.
  const isSandboxed = user.role === "admin" ? undefined : isNull(plugins.runner);
  const isIt = and(isPlugin(family, id), isSandboxed, condition)!;
  const holds = sql`EXISTS (SELECT 1 FROM ${plugins} WHERE ${isIt})`;
  const moves =
    loaded !== undefined || hosts !== undefined || update.sealedValves !== undefined || update.runner !== undefined;
  const values: Partial<Record<keyof Row, unknown>> = {
    updatedAt: ctx.now(),
    ...(moves ? { fingerprint: newId() } : {}),
    ...(update.name !== undefined ? { name: update.name } : {}),
    ...(meta ? { meta: ownMeta(meta, (loaded?.info ?? entry.info).manifest) } : {}),
    ...(hosts ? { hosts } : {}),
    ...(update.isActive !== undefined ? { isActive: update.isActive } : {}),
    ...(update.isGlobal !== undefined ? { isGlobal: update.isGlobal } : {}),
    ...(update.sealedValves !== undefined ? { sealedValves: update.sealedValves } : {}),
    ...(update.priority !== undefined ? { priority: update.priority } : {}),
    ...(update.origin !== undefined ? { origin: update.origin } : {}),
    ...(update.budget !== undefined ? { budget: update.budget } : {}),
    ...(update.runner !== undefined ? { runner: update.runner } : {}),
    ...(update.isOff !== undefined ? { isOff: update.isOff } : {}),
    ...(loaded ? { code: loaded.code, info: loaded.info, language: loaded.info.language } : {}),
    ...(loaded?.isNew ? { source: loaded.source, version: sql`${plugins.version} + 1` } : {}),
  };
  return [
    ...(loaded?.isNew ? addVersion(ctx, user, entry, loaded.source, isIt) : []),
    ...(update.grants ? changeGrants(ctx, id, update.grants, holds) : []),
    ctx.db
      .update(plugins)
      .set(values as Partial<Row>)
      .where(isIt),
    auditRowIf(ctx, {
      action: `${family}.updated`,
      targetType: family,
      targetId: id,
      ...(family === "tool" ? { organizationId: entry.organizationId } : {}),
      detail: {
        fields: fieldsOf(update),
        ...(loaded?.isNew ? { from_version: entry.version } : {}),
        ...(hosts ? { hosts } : {}),
        ...(update.budget !== undefined ? { budget: update.budget } : {}),
        ...(update.runner !== undefined ? { runner: update.runner } : {}),
        ...(update.isOff !== undefined ? { is_off: update.isOff } : {}),
        ...(update.origin ? { origin: update.origin.from } : {}),
        ...(update.grants ? { access_grants: update.grants } : {}),
      },
    }),
  ];
}

function fieldsOf({ loaded, sealedValves, grants: given, isActive, isGlobal, ...update }: PluginUpdate): string[] {
  const { name, meta, hosts, origin, budget, runner, isOff } = update;
  const named = { name, meta, hosts, origin, budget, runner, is_off: isOff, is_active: isActive, is_global: isGlobal };
  return [
    ...Object.entries(named).flatMap(([field, value]) => (value === undefined ? [] : [field])),
    ...(loaded?.isNew ? ["content"] : []),
    ...(sealedValves === undefined ? [] : ["valves"]),
    ...(given ? ["access_grants"] : []),
  ];
}

/** The row of the version that the update makes, and those that are too old to be kept. */
function addVersion(ctx: Context, user: User, { family, id }: PluginEntry, source: string, isIt: SQL): Statement[] {
  return [
    ctx.db
      .insert(pluginVersions)
      .select(
        sql`SELECT ${family}, ${id}, ${plugins.version} + 1, ${source}, ${user.id}, ${ctx.now()} FROM ${plugins} WHERE ${isIt}`,
      ),
    ctx.db
      .delete(pluginVersions)
      .where(
        and(
          eq(pluginVersions.family, family),
          eq(pluginVersions.pluginId, id),
          sql`${pluginVersions.version} <= (SELECT ${plugins.version} + 1 FROM ${plugins} WHERE ${isIt}) - ${keptVersions}`,
        ),
      ),
  ];
}

/** `replaceGrants` under a condition. */
function changeGrants(ctx: Context, id: string, given: GrantView[], holds: SQL): Statement[] {
  const [, insert] = replaceGrants(ctx, "tool", id, given, holds);
  const old = and(eq(grants.resourceType, "tool"), eq(grants.resourceId, id), holds);
  return [ctx.db.delete(grants).where(old), insert];
}

/** Reads what a batch wrote, as its last two statements. */
export function selectWritten(ctx: Context, family: Family, id: string) {
  return [
    ctx.db.select(entryColumns).from(plugins).leftJoin(users, ownerOf).where(isPlugin(family, id)),
    selectToolGrants(ctx, family === "tool" ? id : undefined),
  ] as const;
}
