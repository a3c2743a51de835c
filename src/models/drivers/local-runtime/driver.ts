import { isRecord } from "../../../lib/json.ts";
import { notAModelList } from "../../../upstream/errors/provider-failure.ts";
import { secretsOf } from "../../connections/connection.ts";
import type { CompletionCall, Driver, EmbeddingCall, ProviderList, ProviderModel, Target } from "../driver.ts";
import { fetchList, headersOf, isElsewhere } from "../fetch-list.ts";
import { listAt, openAiCompatible } from "../openai-compatible.ts";
import { trimEntry } from "../trim-entry.ts";
import { wayOut } from "../way-out.ts";
import { answerNativeChat } from "./answer-native-chat.ts";
import { toNativeChat } from "./to-native-chat.ts";
import { withOptions } from "./with-options.ts";

/**
 * A local runtime: models from `/api/tags`, embeddings from `/api/embed`, completions in OpenAI's format from `/v1`, or
 * from `/api/chat` if they need options that only it supports.
 */
export const localRuntime: Driver = { kind: "local", listModels, complete, embed };

async function complete(call: CompletionCall): Promise<Response> {
  const { connection, model, signal, outbound } = call;
  const body = withOptions(call.body);
  const elsewhere = () =>
    openAiCompatible.complete({ ...call, connection: { ...connection, apiRoot: rootOf(connection) }, body });
  const native = toNativeChat(body, model);
  if (!native) return elsewhere();
  const response = await post(connection, "/api/chat", native, { signal, outbound });
  if (response.ok) return answerNativeChat(response, model);
  return isMissing(response) ? eitherOf(response, await elsewhere()) : response;
}

function rootOf(connection: Target): string {
  return `${connection.baseUrl}/v1`;
}

/** Fields of OpenAI's request that `/api/embed` supports too. */
const nativeFields = ["input", "dimensions", "truncate", "options", "keep_alive"];

/** Runtimes without `/api/embed` have `/v1/embeddings`, which alone accepts texts as tokens. */
async function embed(call: EmbeddingCall): Promise<Response> {
  const { connection, model, body, signal, outbound } = call;
  const elsewhere = () =>
    openAiCompatible.embed({ ...call, connection: { ...connection, apiRoot: rootOf(connection) } });
  const { input } = body;
  const isText = typeof input === "string" || (Array.isArray(input) && input.every((each) => typeof each === "string"));
  if (!isText) return elsewhere();
  const native = Object.fromEntries(nativeFields.filter((name) => name in body).map((name) => [name, body[name]]));
  const response = await post(connection, "/api/embed", { ...native, model }, { signal, outbound });
  return isMissing(response) ? eitherOf(response, await elsewhere()) : response;
}

function post(
  connection: Target,
  path: string,
  body: Record<string, unknown>,
  { signal, outbound }: Pick<CompletionCall, "signal" | "outbound">,
): Promise<Response> {
  return wayOut(outbound, connection)(connection.baseUrl + path, {
    method: "POST",
    headers: headersOf(connection, {
      "content-type": "application/json",
      accept: "application/json, application/x-ndjson",
    }),
    body: JSON.stringify(body),
    redirect: "manual",
    signal,
  });
}

/** The runtime has no such path, or no such model. */
function isMissing({ status }: Response): boolean {
  return status === 404 || status === 405;
}

/**
 * The answer of the other path, unless that fails in the same way: then the first answer, in the runtime's own format.
 */
async function eitherOf(first: Response, other: Response): Promise<Response> {
  const [taken, left] = isMissing(other) ? [first, other] : [other, first];
  await left.body?.cancel();
  return taken;
}

/** Runtimes without `/api/tags` (llama.cpp, vLLM and others) have `/v1/models`. */
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
    if (!isElsewhere(error)) throw error;
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
      // Open WebUI's clients tell local models by this word.
      ownedBy: "ollama",
      raw: trimEntry(entry),
    });
  }
  return models;
}
