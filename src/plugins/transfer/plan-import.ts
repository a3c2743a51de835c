import { sql } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { checkGrants } from "../../people/grants/grants.ts";
import { grantList, type GrantView } from "../../people/grants/schema.ts";
import { checkType } from "../change-plugin.ts";
import { checkId, checkMeta } from "../create-plugin.ts";
import { type LoadedPlugin, loadSource } from "../describe-source.ts";
import type { Family } from "../find-plugin.ts";
import { checkHosts, checkMayOpen } from "../hosts.ts";
import { openValves } from "../open-plugin.ts";
import type { PluginPackage } from "../plugin-host.ts";
import type { PluginEntry } from "../plugin-index.ts";
import { insertPlugin, type Statement, updatePlugin } from "../plugin-statements.ts";
import { takenId } from "../run-batch.ts";
import { keepRunner, requireRunner } from "../runners/check-runner.ts";
import type { TransferredPlugin } from "../schema.ts";
import { plugins } from "../tables.ts";
import { changeValves, knownValues, usableValves } from "../valves/check-valves.ts";
import { priorityOf } from "../valves/priority.ts";

/** The existing plugin with the id of an imported one. */
export interface StoredPlugin {
  entry: PluginEntry;
  source: string;
  sealedValves: string | null;
  canWrite: boolean;
}

export interface ImportPlan {
  id: string;
  statements: Statement[];
  /** What of it could not be taken over. */
  notes: string[];
}

/**
 * Checks and loads one imported plugin, and returns the statements that store it.
 * @throws AppError as creating or changing it
 */
export async function planImport(
  ctx: Context,
  user: User,
  family: Family,
  item: TransferredPlugin,
  stored: StoredPlugin | undefined,
  packages: PluginPackage[],
): Promise<ImportPlan> {
  const id = checkId(item.id);
  // What somebody else has is nobody's business; that the id is taken has to be said.
  if (stored && !stored.canWrite) throw takenId();
  const hosts = item.hosts && checkHosts(item.hosts);
  checkMayOpen(
    user,
    stored ? stored.entry.organizationId : user.organizationId,
    hosts ?? [],
    stored?.entry.hosts ?? [],
  );
  const meta = item.meta ?? undefined;
  if (meta) checkMeta(meta);
  const notes: string[] = [];
  const runner = stored ? stored.entry.runner : keepRunner(ctx, user, item.runner ?? null, notes);
  if (stored) requireRunner(ctx, stored.entry);
  const loaded = await loadSource(ctx, family, item.content, packages, runner);
  if (stored) checkType(stored.entry, loaded);
  const values = await valuesOf(ctx, item, stored, loaded, notes);
  const sealedValves = item.valves ? await ctx.vault.seal(JSON.stringify(values)) : undefined;
  const priority = priorityOf(loaded.info, values);
  const { is_active: isActive, is_global: isGlobal } = item;
  // A pipe is a model: it is with none, whatever the file says.
  const canBeGlobal = loaded.info.type === "filter" || loaded.info.type === "action";
  const switches = {
    ...(family === "function" && typeof isActive === "boolean" ? { isActive } : {}),
    ...(family === "function" && typeof isGlobal === "boolean" && canBeGlobal ? { isGlobal } : {}),
    ...(sealedValves === undefined ? {} : { sealedValves }),
  };
  if (stored) {
    const isNew = stored.source !== item.content;
    // It was loaded where it runs.
    const isStillThere = sql`${plugins.runner} IS ${stored.entry.runner}`;
    const update = { name: item.name, loaded: { ...loaded, isNew }, meta, hosts, priority, ...switches };
    return { id, notes, statements: updatePlugin(ctx, user, stored.entry, update, isStillThere) };
  }
  const given = family === "tool" ? await grantsOf(ctx, user, item, notes) : undefined;
  const draft = {
    family,
    id,
    name: item.name,
    loaded,
    meta: meta ?? {},
    hosts: hosts ?? [],
    runner,
    priority,
    ...switches,
  };
  return { id, notes, statements: insertPlugin(ctx, user, given ? { ...draft, grants: given } : draft) };
}

/** The values that come with it, else those that it has; what it has no place for any more is left out. */
async function valuesOf(
  ctx: Context,
  item: TransferredPlugin,
  stored: StoredPlugin | undefined,
  { info }: LoadedPlugin,
  notes: string[],
): Promise<Record<string, unknown>> {
  const schema = info.valvesSchema;
  if (!item.valves) return stored ? usableValves(schema, await openValves(ctx, stored.sealedValves)) : {};
  const known = knownValues(schema, item.valves);
  if (schema === null) return {};
  try {
    return changeValves(schema, {}, known);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(`Not all of its valves could be imported: ${error.message}`);
    return usableValves(schema, known);
  }
}

/** Who may use it, where they are all there and the caller may share with them; else nobody but its owner. */
async function grantsOf(ctx: Context, user: User, item: TransferredPlugin, notes: string[]): Promise<GrantView[]> {
  const given = grantList.safeParse(item.access_grants ?? []);
  if (!given.success) {
    notes.push("Its access could not be imported: unknown format");
    return [];
  }
  const plain = given.data.map(({ principal_type, principal_id, permission }) => ({
    principal_type,
    principal_id,
    permission,
  }));
  try {
    await checkGrants(ctx, user, "tool", plain, []);
    return plain;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(`Its access could not be imported: ${error.message}`);
    return [];
  }
}
