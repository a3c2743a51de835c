import { isRecord } from "../../lib/json.ts";
import { notAModelList } from "../../upstream/errors/provider-failure.ts";
import { apiRoots } from "../connections/base-url.ts";
import { secretsOf } from "../connections/connection.ts";
import type { CompletionCall, Driver, EmbeddingCall, ProviderList, ProviderModel, Target } from "./driver.ts";
import { fetchList, firstList, headersOf } from "./fetch-list.ts";
import { trimEntry } from "./trim-entry.ts";
import { wayOut } from "./way-out.ts";

/** Providers with OpenAI's chat-completions API. */
export const openAiCompatible: Driver = { kind: "openai", listModels, complete, embed };

async function listModels(
  connection: Target,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ProviderList> {
  return firstList(apiRoots(connection.baseUrl), (root) => listAt(root, connection, fetch, signal));
}

export async function listAt(
  apiRoot: string,
  connection: Target,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ProviderList> {
  const url = `${apiRoot}/models`;
  const value = await fetchList(connection, url, fetch, signal);
  const models = readModels(value);
  if (!models) throw notAModelList(url, JSON.stringify(value).slice(0, 4000), secretsOf(connection));
  return { models, apiRoot };
}

/**
 * `{data: [...]}` as in OpenAI's API, or the array alone, or under `models`, as some providers return; undefined for
 * anything else.
 */
export function readModels(value: unknown): ProviderModel[] | undefined {
  const list = Array.isArray(value)
    ? value
    : isRecord(value) && !isRecord(value.error)
      ? (value.data ?? value.models)
      : undefined;
  if (!Array.isArray(list)) return undefined;
  const models: ProviderModel[] = [];
  const seen = new Set<string>();
  for (const entry of list) {
    const id = isRecord(entry) ? (entry.id ?? entry.name) : undefined;
    if (!isRecord(entry) || typeof id !== "string" || id === "" || id.length > 512 || seen.has(id)) continue;
    seen.add(id);
    const { name, created, owned_by: ownedBy } = entry;
    models.push({
      id,
      name: typeof name === "string" && name.trim() !== "" ? name.slice(0, 200) : id,
      created: typeof created === "number" && Number.isFinite(created) && created > 0 ? Math.floor(created) : 0,
      ownedBy: typeof ownedBy === "string" && ownedBy !== "" ? ownedBy.slice(0, 100) : "openai",
      raw: trimEntry(entry),
    });
  }
  return models;
}

async function complete({ connection, model, body, signal, outbound }: CompletionCall): Promise<Response> {
  const root = connection.apiRoot ?? apiRoots(connection.baseUrl)[0];
  return wayOut(outbound, connection)(`${root}/chat/completions`, {
    method: "POST",
    headers: headersOf(connection, {
      "content-type": "application/json",
      accept: body.stream === true ? "text/event-stream" : "application/json",
    }),
    body: JSON.stringify({ ...body, model }),
    redirect: "manual",
    signal,
  });
}

async function embed({ connection, model, body, signal, outbound }: EmbeddingCall): Promise<Response> {
  const root = connection.apiRoot ?? apiRoots(connection.baseUrl)[0];
  return wayOut(outbound, connection)(`${root}/embeddings`, {
    method: "POST",
    headers: headersOf(connection, { "content-type": "application/json", accept: "application/json" }),
    body: JSON.stringify({ ...body, model }),
    redirect: "manual",
    signal,
  });
}
