import type { ModelEntry } from "../../../../models/catalog/schema.ts";
import type { StoredModelView } from "../../../../models/stored-models/schema.ts";
import { api, apiResponse } from "../../../lib/api.ts";
import { plainGrants } from "../../../lib/plain-grants.ts";
import { readUnreachable } from "../../../lib/read-unreachable.ts";
import type { ModelForm, ModelMeta } from "./model-form.ts";

const base = "/api/v1/models";

/** What is stored of a model: one made here, or what was said of a provider's model (then `base_model_id` is null). */
export interface StoredModel extends StoredModelView {
  meta: ModelMeta;
}

/** What of a model entry of a connection the pages use. */
export interface ProvidedModel extends Omit<ModelEntry, "info"> {
  info?: { name?: string; meta?: ModelMeta; is_active?: boolean } | undefined;
}

export interface ProvidedModels {
  models: ProvidedModel[];
  /** Names of connections whose models are missing. */
  unreachable: string;
}

/** The models of all connections, hidden ones and those that are off too. */
export async function listProvided(signal?: AbortSignal): Promise<ProvidedModels> {
  const response = await apiResponse("GET", "/api/models/base", { signal });
  const { data } = (await response.json()) as { data: ProvidedModel[] };
  return { models: data, unreachable: readUnreachable(response.headers).join(", ") };
}

/** What a person may base a model of their own on: what they may use that is neither made here nor their own provider's. */
export async function listBases(signal?: AbortSignal): Promise<ProvidedModels> {
  const response = await apiResponse("GET", "/api/models", { signal });
  const { data } = (await response.json()) as { data: ProvidedModel[] };
  return {
    models: data.filter((model) => !model.preset && !model.direct),
    unreachable: readUnreachable(response.headers).join(", "),
  };
}

/** Custom models that the person may change, 30 on a page. */
export const listWritable = (
  { query, page }: { query: string; page: number },
  signal?: AbortSignal,
): Promise<{ items: StoredModel[]; total: number }> =>
  api("GET", `${base}/list`, { query: { query, page, writable: true, order_by: "name" }, signal });

/** Models as a file, with their pictures. @param id only this one */
export const exportModels = async (id?: string): Promise<Blob> =>
  (await apiResponse("GET", `${base}/export`, { query: { id }, timeout: 60_000 })).blob();

/** All of them, or none. */
export const importModels = (models: Record<string, unknown>[]): Promise<unknown> =>
  api("POST", `${base}/import`, { body: { models }, timeout: 60_000 });

/** One page of what is stored. @param page from 1 */
function listStored(
  query: string,
  page: number,
  signal?: AbortSignal,
): Promise<{ items: StoredModel[]; total: number }> {
  return api("GET", `${base}/list`, { query: { query, page }, signal });
}

/** Models made here are few; all pages are taken, up to a limit that no hand-made list reaches. */
export async function listAllStored(query: string, signal: AbortSignal): Promise<StoredModel[]> {
  const items: StoredModel[] = [];
  for (let page = 1; page <= 20; page++) {
    const next = await listStored(query, page, signal);
    items.push(...next.items);
    if (next.items.length === 0 || items.length >= next.total) break;
  }
  return items;
}

export const getStored = (id: string, signal?: AbortSignal): Promise<StoredModel> =>
  api("GET", `${base}/model`, { query: { id }, signal });
export const createModel = (form: ModelForm): Promise<StoredModel> => api("POST", `${base}/create`, { body: form });
export const updateModel = (form: ModelForm): Promise<StoredModel> =>
  api("POST", `${base}/model/update`, { body: form });
export const deleteModel = (id: string): Promise<unknown> => api("POST", `${base}/model/delete`, { body: { id } });

/** Turns a model on or off for everyone. */
export const turnModel = (id: string, isOn: boolean): Promise<StoredModel> =>
  api("POST", `${base}/model/toggle`, { query: { id }, body: { is_active: isOn } });

export function formOf(model: StoredModel): ModelForm {
  const { id, base_model_id, name, meta, params, access_grants, is_active, updated_at } = model;
  return {
    id,
    base_model_id,
    name,
    meta,
    params,
    access_grants: plainGrants(access_grants),
    is_active,
    if_unmodified_since: updated_at,
  };
}

/** What to store for a provider's model that nothing was said of yet. */
export function emptyFormOf(model: ProvidedModel): ModelForm {
  return {
    id: model.id,
    base_model_id: null,
    name: model.name,
    meta: {},
    params: {},
    access_grants: [],
    is_active: true,
  };
}

/** Changes a model as it is now, which may be newer than the list. */
export async function changeStored(id: string, change: (form: ModelForm) => ModelForm): Promise<StoredModel> {
  return updateModel(change(formOf(await getStored(id))));
}

/** Changes what is stored of a provider's model; makes the entry when there is none. */
export function changeProvided(model: ProvidedModel, change: (form: ModelForm) => ModelForm): Promise<StoredModel> {
  return model.info ? changeStored(model.id, change) : createModel(change(emptyFormOf(model)));
}
