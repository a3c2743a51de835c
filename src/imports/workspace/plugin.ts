import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { time } from "../../people/schema.ts";
import { organizationOf } from "../../people/users/organization-of.ts";
import { checkMeta } from "../../plugins/create-plugin.ts";
import { describeSource, type LoadedPlugin, loadPackages } from "../../plugins/describe-source.ts";
import type { Family } from "../../plugins/find-plugin.ts";
import { checkHosts } from "../../plugins/hosts.ts";
import { requirePlugins } from "../../plugins/open-plugin.ts";
import type { PluginInfo } from "../../plugins/plugin-host.ts";
import { insertPlugin } from "../../plugins/plugin-statements.ts";
import { keepRunner } from "../../plugins/runners/check-runner.ts";
import { budget, maxSourceLength, origin } from "../../plugins/schema.ts";
import { plugins } from "../../plugins/tables.ts";
import { readBudget } from "../../plugins/use/budgets.ts";
import { knownValues, usableValves } from "../../plugins/valves/check-valves.ts";
import { priorityOf } from "../../plugins/valves/priority.ts";
import { grantReferences, grantsField, resolveGrants } from "../grants.ts";
import { defineKind, type ImportRun, type Kind, type Outcome } from "../kind.ts";
import { lineOf, leftField, leftNotes } from "../report-notes.ts";
import { sourceId } from "../schema.ts";

const fields = {
  id: sourceId,
  person_id: sourceId.nullish(),
  name: z.string().max(10_000),
  content: z.string().min(1).max(maxSourceLength),
  meta: z.record(z.string(), z.unknown()).default({}),
  /** In the clear. */
  valves: z.record(z.string().max(200), z.unknown()).default({}),
  /** Hosts that it may fetch from. */
  hosts: z.array(z.string().max(300)).max(100).default([]),
  /** Where its source came from. */
  origin: origin.nullish(),
  /** What it may use at most. */
  budget: budget.nullish(),
  /** Address of the native runner that it ran on. */
  runner: z.string().max(300).nullish(),
  created_at: time.nullish(),
  updated_at: time.nullish(),
  left: leftField,
};

const functionShape = z.object({
  kind: z.literal("function"),
  ...fields,
  type: z.enum(["pipe", "filter", "action"]),
  is_active: z.boolean().default(false),
  is_global: z.boolean().default(false),
});
const toolShape = z.object({
  kind: z.literal("tool"),
  ...fields,
  is_off: z.boolean().default(false),
  access_grants: grantsField,
});
type Plugin = z.infer<typeof functionShape> | z.infer<typeof toolShape>;

/** Pipes, filters and actions. */
export const functionKind = pluginKind("function", functionShape);
/** Tools of models. */
export const toolKind = pluginKind("tool", toolShape);

function pluginKind(family: Family, shape: z.ZodType<Plugin>): Kind {
  return defineKind<Plugin>({
    shape,
    references: (record) => [
      ...(record.person_id ? [{ kind: "person", id: record.person_id }] : []),
      ...(record.kind === "tool" ? grantReferences(record.access_grants) : []),
    ],
    taken: (ids) => sql`SELECT id FROM plugins WHERE family = ${family} AND id IN ${ids}
      UNION SELECT value AS id FROM ${ids} WHERE length(value) > 100 OR value GLOB '*[^a-z0-9_]*'`,
    otherId: (id) => {
      const name = id.toLowerCase().replaceAll(/[^a-z0-9_]+/g, "_");
      return `${name.slice(0, 80)}_${crypto.randomUUID().slice(0, 8)}`;
    },
    plan: planPlugin,
  });
}

async function planPlugin(run: ImportRun, record: Plugin, id: string): Promise<Outcome> {
  const { ctx } = run;
  const { kind: family, content, valves } = record;
  requirePlugins(ctx);
  if (id !== record.id && (await isHere(ctx, family, record))) return { matched: record.id };
  checkMeta(record.meta);
  const notes: string[] = [];
  const runner = keepRunner(ctx, requireAdmin(ctx), record.runner ?? null, notes);
  const { loaded, problem } = await load(run, record, runner);
  if (problem !== undefined) notes.push(`It is switched off because it doesn't load: ${problem}`);
  const kept = problem === undefined ? valvesFor(loaded.info, valves, notes) : valves;
  const owner = record.person_id ? run.find("person", record.person_id) : undefined;
  const grants = record.kind === "tool" ? resolveGrants(run, record.access_grants) : undefined;
  if (record.person_id && owner === undefined) notes.push("Its owner wasn't imported: nobody owns it");
  const hosts = checkHosts(record.hosts);
  if (hosts.length === 0 && reachesOut.test(content))
    notes.push("It calls other hosts: allow each of them in its settings");
  const { canBeGlobal, ...switches } = switchesOf(record, loaded, problem);
  if (record.kind === "function" && record.is_global && !canBeGlobal && problem === undefined)
    notes.push("Only filters and actions can be for all models");
  const createdAt = record.created_at ?? ctx.now();
  return {
    statements: insertPlugin(
      ctx,
      { id: owner ?? null, organizationId: owner === undefined ? null : organizationOf(owner) },
      {
        family,
        id,
        name: lineOf(record.name, 200) || id,
        loaded,
        meta: record.meta,
        hosts,
        origin: record.origin,
        budget: readBudget(record.budget ?? null),
        runner,
        isOff: record.kind === "tool" && record.is_off,
        priority: priorityOf(loaded.info, kept),
        sealedValves: Object.keys(kept).length > 0 ? await ctx.vault.seal(JSON.stringify(kept)) : null,
        times: { createdAt, updatedAt: record.updated_at ?? createdAt },
        ...switches,
        ...(grants ? { grants: grants.given } : {}),
      },
    ),
    notes: [...notes, ...(grants?.notes ?? []), ...leftNotes(record.left)],
  };
}

/** Whether the source calls other computers, as far as one can see. */
const reachesOut = /\b(?:requests|httpx|aiohttp|urllib|fetch)\b/;

async function isHere(ctx: Context, family: Family, { id, content }: Plugin): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: plugins.id })
    .from(plugins)
    .where(and(eq(plugins.family, family), eq(plugins.id, id), eq(plugins.source, content)));
  return rows.length > 0;
}

/** The source as it is described by itself; one that does not load is kept with what the source says of it. */
async function load(
  { ctx }: ImportRun,
  record: Plugin,
  runner: string | null,
): Promise<{ loaded: LoadedPlugin; problem?: string }> {
  const packages = await loadPackages(ctx, { organizationId: null, byAdminOnly: true });
  const { code, info, problems } = await describeSource(ctx, record.kind, record.content, packages, runner);
  const source = record.content;
  if (code !== undefined && info) return { loaded: { source, code, info } };
  const first = problems.find(({ severity }) => severity === "error");
  const message = first?.message ?? "its source cannot be read";
  const place = first?.line === undefined ? "" : `line ${first.line}: `;
  return {
    loaded: { source, code: source, info: unreadInfo(record.kind === "tool" ? "tools" : record.type) },
    problem: `${place}${message}`.slice(0, 1000),
  };
}

function unreadInfo(type: PluginInfo["type"]): PluginInfo {
  return {
    type,
    language: "python",
    manifest: {},
    hooks: [],
    specs: [],
    valvesSchema: null,
    userValvesSchema: null,
    valveDefaults: {},
    toggle: false,
    icon: null,
    fileHandler: false,
    pipes: null,
    namePrefix: "",
    actions: [],
  };
}

function valvesFor({ valvesSchema }: PluginInfo, given: Record<string, unknown>, notes: string[]) {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const usable = usableValves(valvesSchema, knownValues(valvesSchema, set));
  const lost = Object.keys(set).filter((name) => !Object.hasOwn(usable, name));
  if (lost.length > 0) notes.push(`Valves that don't fit its source: ${lost.join(", ").slice(0, 1000)}`);
  return usable;
}

function switchesOf(record: Plugin, { info }: LoadedPlugin, problem: string | undefined) {
  const canBeGlobal = info.type === "filter" || info.type === "action";
  if (record.kind === "tool" || problem !== undefined) return { canBeGlobal };
  return { canBeGlobal, isActive: record.is_active, isGlobal: record.is_global && canBeGlobal };
}
