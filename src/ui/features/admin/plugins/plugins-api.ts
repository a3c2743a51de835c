import type { RunnerView } from "../../../../plugins/runners/schema.ts";
import type {
  Checked,
  BudgetValues,
  FoundPlugins,
  FunctionView,
  LookedAt,
  PluginOrigin,
  PluginOverview,
  PluginUpdateFound,
  ToolView,
  TrialResult,
  VersionList,
} from "../../../../plugins/schema.ts";
import { api, apiResponse } from "../../../lib/api.ts";

export type Family = "function" | "tool";
export type PluginType = FunctionView["type"];

export type AccessGrant = Pick<ToolView["access_grants"][number], "principal_type" | "principal_id" | "permission">;

type Both = Omit<FunctionView & ToolView, "meta" | "access_grants">;

/** A function or a tool: what only one of the two has may be missing. `content` comes only on its own page, to who may change it. */
export type PluginView = Pick<Both, keyof FunctionView & keyof ToolView & keyof Both> &
  Partial<Both> & { meta: { description?: string | null }; access_grants?: AccessGrant[] };

export type Problem = Checked["problems"][number];

export interface PluginDraft {
  id: string;
  name: string;
  content: string;
  meta: { description: string };
  hosts: string[];
  origin?: PluginOrigin;
  /** Address of the native runner that it runs on; null: in the sandbox. Left out by those who may not choose. */
  runner?: string | null;
}

/** Cold isolates and long test runs take their time. */
const timeoutMs = 120_000;
const rootOf = (family: Family) => `/api/v1/${family}s`;
const pathOf = (family: Family, id: string) => `${rootOf(family)}/id/${encodeURIComponent(id)}`;

export const listPlugins = (family: Family, signal: AbortSignal) =>
  api<PluginView[]>("GET", `${rootOf(family)}/list`, { signal });

export const getPlugin = (family: Family, id: string, signal?: AbortSignal) =>
  api<PluginView>("GET", pathOf(family, id), { signal });

export const createPlugin = (family: Family, draft: PluginDraft) =>
  api<PluginView>("POST", `${rootOf(family)}/create`, { body: draft, timeout: timeoutMs });

/** @param version the one that was changed: a newer one is not written over */
export const updatePlugin = (family: Family, draft: PluginDraft, version: number) =>
  api<PluginView>("POST", `${pathOf(family, draft.id)}/update`, { body: { ...draft, version }, timeout: timeoutMs });

/** Only what is given changes. */
export const changePlugin = (
  family: Family,
  id: string,
  change: Partial<PluginDraft> & { version?: number; budget?: BudgetValues; is_off?: boolean },
) => api<PluginView>("POST", `${pathOf(family, id)}/update`, { body: change, timeout: timeoutMs });

export const deletePlugin = (family: Family, id: string) => api<unknown>("DELETE", `${pathOf(family, id)}/delete`);

export const turnFunction = (id: string, isActive: boolean) =>
  api<PluginView>("POST", `${pathOf("function", id)}/toggle`, { body: { is_active: isActive } });

export const makeGlobal = (id: string, isGlobal: boolean) =>
  api<PluginView>("POST", `${pathOf("function", id)}/toggle/global`, { body: { is_global: isGlobal } });

export const checkSource = (family: Family, content: string, runner: string | null) =>
  api<Checked>("POST", `${rootOf(family)}/check`, {
    body: { content, ...(runner === null ? {} : { runner }) },
    timeout: timeoutMs,
  });

/** Native runners, how they are, and what runs there; for administrators. */
export const listRunners = (signal: AbortSignal) =>
  api<RunnerView[]>("GET", "/api/v1/plugins/runners", { signal, timeout: 20_000 });

export const tryPlugin = (
  family: Family,
  id: string,
  body: { content?: string; method: string; args: unknown; valves?: unknown },
) => api<TrialResult>("POST", `${pathOf(family, id)}/try`, { body, timeout: 330_000 });

export const listVersions = async (family: Family, id: string, signal: AbortSignal) =>
  (await api<VersionList>("GET", `${pathOf(family, id)}/versions`, { signal })).versions;

export const getVersion = async (family: Family, id: string, version: number) =>
  (await api<{ content: string }>("GET", `${pathOf(family, id)}/versions/${version}`)).content;

/** Settings of the plugin, or the person's own. */
export type ValvesOf = "valves" | "valves/user";

/** The values that are set, beside the JSON Schema they follow; null where the plugin has none. */
export async function getValves(family: Family, id: string, whose: ValvesOf, signal: AbortSignal) {
  const path = `${pathOf(family, id)}/${whose}`;
  const [schema, values] = await Promise.all([
    api<Record<string, unknown> | null>("GET", `${path}/spec`, { signal }),
    api<Record<string, unknown> | null>("GET", path, { signal }),
  ]);
  return { schema, values: values ?? {} };
}

export const saveValves = (family: Family, id: string, whose: ValvesOf, values: Record<string, unknown>) =>
  api<Record<string, unknown>>("POST", `${pathOf(family, id)}/${whose}/update`, { body: values });

export const shareTool = (id: string, grants: AccessGrant[]) =>
  api<PluginView>("POST", `${pathOf("tool", id)}/access/update`, { body: { access_grants: grants } });

/** What could be imported; nothing is stored. */
export const findPlugins = (looked: LookedAt) =>
  api<FoundPlugins>("POST", "/api/v1/plugins/find", { body: looked, timeout: 300_000 });

export const getOverview = (family: Family, id: string, signal: AbortSignal) =>
  api<PluginOverview>("GET", `${pathOf(family, id)}/overview`, { signal });

export const checkUpdate = (family: Family, id: string) =>
  api<PluginUpdateFound>("POST", `${pathOf(family, id)}/check-update`, { timeout: timeoutMs });

/** All plugins of a family in one file, which can be imported here or in Open WebUI. */
/** @param withValves also what is set, secrets too */
export const exportPlugins = async (family: Family, withValves = false): Promise<Blob> =>
  (
    await apiResponse("GET", `${rootOf(family)}/export${withValves ? "?include_valves=true" : ""}`, { timeout: 60_000 })
  ).blob();
