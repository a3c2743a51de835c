import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isRecord } from "../lib/json.ts";
import { defaultBudgetMs } from "../models/catalog/look-up-list.ts";
import { headerText } from "../models/catalog/routes.ts";
import type { Rules } from "../models/catalog/visibility.ts";
import { withPrefix, type Connection } from "../models/connections/connection.ts";
import { fetchList } from "../models/drivers/fetch-list.ts";
import { ProviderFailure } from "../upstream/errors/provider-failure.ts";
import { isShown } from "./find-runtime-model.ts";
import { lowestVersion } from "./lowest-version.ts";
import { chosenRuntimes, requireRuntime, runtimesFor } from "./runtimes.ts";

type Entry = Record<string, unknown>;

/** Where entries stand in a list, and which of their fields hold the model's id. */
interface ListShape {
  entries: "models" | "data";
  ids: readonly string[];
}

const shapes: Readonly<Record<string, ListShape>> = {
  "/api/tags": { entries: "models", ids: ["model", "name"] },
  "/api/ps": { entries: "models", ids: ["model", "name"] },
  "/v1/models": { entries: "data", ids: ["id"] },
};

/** What one runtime said, or why it said nothing. */
interface Said {
  runtime: Connection;
  value: unknown;
  failure: unknown;
}

/**
 * A list of all runtimes as one, each entry as its runtime has it: only the prefix is put before its id, and what is not for the caller
 * is left out. The first runtime that has an id keeps it. Runtimes that are away are named in `x-parley-unreachable`.
 * @throws AppError `upstream_unreachable`, `upstream_timeout` where none of them answers
 */
export async function mergeLists(ctx: Context, path: string, place: string | undefined): Promise<Response> {
  const { snapshot, runtimes } = await runtimesFor(ctx);
  const chosen = chosenRuntimes(runtimes, place);
  const shape = shapes[path];
  if (!shape) return mergeVersions(ctx, chosen);
  const said = await Promise.all(chosen.map((runtime) => askOne(ctx, runtime, path)));
  requireOne(said);
  const rules: Rules = { snapshot, settings: ctx.settings, viewer: requireUser(ctx) };
  const merged = new Map<string, Entry>();
  for (const { runtime, value } of said) {
    for (const entry of entriesOf(value, shape)) {
      const own = shape.ids.map((name) => entry[name]).find((id) => typeof id === "string");
      if (own === undefined || (runtime.modelIds.length > 0 && !runtime.modelIds.includes(own))) continue;
      const id = withPrefix(runtime, own);
      if (merged.has(id) || !isShown(rules, id)) continue;
      const ids = shape.ids.flatMap((name) =>
        typeof entry[name] === "string" ? [[name, withPrefix(runtime, entry[name])]] : [],
      );
      merged.set(id, { ...entry, ...Object.fromEntries(ids) });
    }
  }
  const list = [...merged.values()];
  return Response.json(shape.entries === "data" ? { object: "list", data: list } : { models: list }, {
    headers: away(said),
  });
}

async function mergeVersions(ctx: Context, runtimes: readonly Connection[]): Promise<Response> {
  requireRuntime(runtimes);
  const said = await Promise.all(runtimes.map((runtime) => askOne(ctx, runtime, "/api/version")));
  requireOne(said);
  const versions = said.flatMap(({ value }) =>
    isRecord(value) && typeof value["version"] === "string" ? [value["version"]] : [],
  );
  const version = lowestVersion(versions);
  if (version === undefined) throw new AppError("upstream_invalid_answer", "No local runtime reports its version");
  return Response.json({ version }, { headers: away(said) });
}

async function askOne(ctx: Context, runtime: Connection, path: string): Promise<Said> {
  const ask = (at: string) =>
    fetchList(runtime, `${runtime.baseUrl}${at}`, ctx.outbound.trusted, AbortSignal.timeout(defaultBudgetMs));
  try {
    return { runtime, value: await ask(path), failure: undefined };
  } catch (error) {
    const isUnknown = error instanceof ProviderFailure && error.reason === "not_found";
    if (!isUnknown) return { runtime, value: undefined, failure: error };
    // Runtimes with OpenAI's API alone have nothing to say of what is loaded, and their models under another name.
    if (path !== "/api/tags") return { runtime, value: {}, failure: undefined };
    return ask("/v1/models").then(
      (value) => ({ runtime, value: tagsOf(value), failure: undefined }),
      (failure: unknown) => ({ runtime, value: undefined, failure }),
    );
  }
}

/** Models of OpenAI's list as the runtime's own API has them. */
function tagsOf(value: unknown): unknown {
  const list = isRecord(value) && Array.isArray(value["data"]) ? value["data"] : [];
  const models = list.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry["id"] !== "string") return [];
    const { id, created } = entry;
    const modified = typeof created === "number" && created > 0 && created < 1e11 ? created * 1000 : 0;
    return [{ name: id, model: id, modified_at: new Date(modified).toISOString(), size: 0, digest: "", details: {} }];
  });
  return { models };
}

function entriesOf(value: unknown, { entries }: ListShape): Entry[] {
  const list = isRecord(value) ? value[entries] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** With several runtimes, those that answer are enough; a list of nothing must not be taken for one. */
function requireOne(said: readonly Said[]): void {
  const [first] = said;
  if (!first || said.some(({ failure }) => failure === undefined)) return;
  // Which addresses there are is not for everybody: administrators find them under Connections.
  const isLate = first.failure instanceof ProviderFailure && first.failure.reason === "timeout";
  throw new AppError(
    isLate ? "upstream_timeout" : "upstream_unreachable",
    isLate ? "No local runtime responded in time" : "No local runtime can be reached",
    { cause: first.failure },
  );
}

function away(said: readonly Said[]): Record<string, string> {
  const names = said.filter(({ failure }) => failure !== undefined).map(({ runtime }) => headerText(runtime.name));
  return {
    "cache-control": "private, no-cache",
    ...(names.length > 0 ? { "x-parley-unreachable": names.join(", ") } : {}),
  };
}
