import { isRecord } from "../../../lib/json.ts";
import { secretsOf } from "../../connections/connection.ts";
import type { Driver, ProviderList, ProviderModel, Target } from "../driver.ts";
import { fetchList } from "../fetch-list.ts";
import { listAt, openAiCompatible } from "../openai-compatible/driver.ts";
import { notAModelList, ProviderFailure } from "../provider-failure.ts";
import { trimEntry } from "../trim-entry.ts";

/** A runtime of one's own: models under `/api/tags`, completions in OpenAI's shape under `/v1`. */
export const localRuntime: Driver = {
  kind: "local",
  listModels,
  complete: (call) =>
    openAiCompatible.complete({ ...call, connection: { ...call.connection, apiRoot: rootOf(call.connection) } }),
};

function rootOf(connection: Target): string {
  return `${connection.baseUrl}/v1`;
}

/** Runtimes that have no `/api/tags` (llama.cpp, vLLM and their like) have `/v1/models`. */
async function listModels(
  connection: Target,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ProviderList> {
  const url = `${connection.baseUrl}/api/tags`;
  try {
    const value = await fetchList(connection, url, fetch, signal);
    const models = readTags(value);
    if (models) return { models, apiRoot: rootOf(connection) };
    throw notAModelList(url, JSON.stringify(value).slice(0, 4000), secretsOf(connection));
  } catch (error) {
    const elsewhere =
      error instanceof ProviderFailure && (error.reason === "not_found" || error.reason === "not_a_model_list");
    if (!elsewhere) throw error;
    const list = await listAt(rootOf(connection), connection, fetch, signal).catch(() => undefined);
    if (!list) throw error;
    return { ...list, models: list.models.map((model) => ({ ...model, ownedBy: "ollama" })) };
  }
}

/** `{models: [{name, model, modified_at, size, digest, details}]}`; undefined for anything else. */
export function readTags(value: unknown): ProviderModel[] | undefined {
  if (!isRecord(value) || !("models" in value)) return undefined;
  const list = value.models ?? [];
  if (!Array.isArray(list)) return undefined;
  const models: ProviderModel[] = [];
  const seen = new Set<string>();
  for (const entry of list) {
    const id = isRecord(entry) ? (entry.model ?? entry.name) : undefined;
    if (!isRecord(entry) || typeof id !== "string" || id === "" || id.length > 512 || seen.has(id)) continue;
    seen.add(id);
    const modified = typeof entry.modified_at === "string" ? Date.parse(entry.modified_at) : Number.NaN;
    models.push({
      id,
      name: typeof entry.name === "string" && entry.name !== "" ? entry.name.slice(0, 200) : id,
      created: Number.isFinite(modified) && modified > 0 ? Math.floor(modified / 1000) : 0,
      // The peer's clients tell local models by this word.
      ownedBy: "ollama",
      raw: trimEntry(entry),
    });
  }
  return models;
}
