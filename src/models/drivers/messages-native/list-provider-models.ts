import { isRecord } from "../../../lib/json.ts";
import { notAModelList } from "../../../upstream/errors/provider-failure.ts";
import { secretsOf } from "../../connections/connection.ts";
import type { ProviderList, ProviderModel, Target } from "../driver.ts";
import { fetchList, firstList } from "../fetch-list.ts";
import { readModels } from "../openai-compatible.ts";
import { messagesHeaders, messagesRoots } from "./call-provider.ts";

/** The dialect's maximum page size, and the number of pages to read. */
const pageSize = 1000;
const maxPages = 5;

/** The models of `/v1/models`. @throws ProviderFailure */
export async function listModels(
  connection: Target,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ProviderList> {
  return firstList(messagesRoots(connection.baseUrl), (root) => listAt(root, connection, fetch, signal));
}

async function listAt(
  apiRoot: string,
  connection: Target,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ProviderList> {
  const models = new Map<string, ProviderModel>();
  let after: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const query = after === undefined ? "" : `&after_id=${encodeURIComponent(after)}`;
    const url = `${apiRoot}/models?limit=${pageSize}${query}`;
    const headers = messagesHeaders(connection, { accept: "application/json" });
    const value = await fetchList(connection, url, fetch, signal, headers);
    const found = readModels(value);
    if (!found) throw notAModelList(url, JSON.stringify(value).slice(0, 4000), secretsOf(connection));
    const known = models.size;
    for (const model of found) models.set(model.id, named(model));
    const last = isRecord(value) && value["has_more"] === true ? value["last_id"] : undefined;
    // A provider that does not know the parameter would give its first page for ever.
    if (typeof last !== "string" || last === after || models.size === known) break;
    after = last;
  }
  return { models: [...models.values()], apiRoot };
}

/** `{type: "model", id, display_name, created_at}` with OpenAI's field names. */
function named(model: ProviderModel): ProviderModel {
  const { display_name: name, created_at: made, owned_by: owner } = model.raw;
  const created = typeof made === "string" ? Math.floor(Date.parse(made) / 1000) : model.created;
  return {
    ...model,
    name: typeof name === "string" && name.trim() !== "" ? name.slice(0, 200) : model.name,
    created: created > 0 ? created : 0,
    ownedBy: typeof owner === "string" && owner !== "" ? model.ownedBy : "anthropic",
  };
}
