import type { PullView } from "../../../../local-models/pulls/schema.ts";
import type { RuntimeView } from "../../../../local-models/schema.ts";
import { api, apiResponse } from "../../../lib/api.ts";

export type { HeldModel, RuntimeView } from "../../../../local-models/schema.ts";
export type { PullView } from "../../../../local-models/pulls/schema.ts";

const base = "/api/v1/local-models";
/** A runtime takes its time with large files. */
const timeoutMs = 120_000;

export const listRuntimes = (signal?: AbortSignal): Promise<RuntimeView[]> => api("GET", base, { signal });
export const listPulls = (signal?: AbortSignal): Promise<PullView[]> => api("GET", `${base}/pulls`, { signal });
export const startPull = (connectionId: string, model: string): Promise<PullView> =>
  api("POST", `${base}/pulls`, { body: { connection_id: connectionId, model } });
export const stopPull = (id: string): Promise<PullView> => api("POST", `${base}/pulls/${id}/stop`);
export const forgetPull = (id: string): Promise<unknown> => api("DELETE", `${base}/pulls/${id}`);

/** What is done to one runtime goes to its own API. */
const call = async (runtime: RuntimeView, method: "POST" | "DELETE", path: string, body: unknown): Promise<void> => {
  const response = await apiResponse(method, `/localmodel/${runtime.id}/api/${path}`, { body, timeout: timeoutMs });
  await response.text();
};

export const deleteModel = (runtime: RuntimeView, model: string): Promise<void> =>
  call(runtime, "DELETE", "delete", { model });
export const unloadModel = (runtime: RuntimeView, model: string): Promise<void> =>
  call(runtime, "POST", "unload", { model });
export const copyModel = (runtime: RuntimeView, source: string, destination: string): Promise<void> =>
  call(runtime, "POST", "copy", { source, destination });
export const createModel = (runtime: RuntimeView, model: string, from: string, system: string): Promise<void> =>
  call(runtime, "POST", "create", { model, from, ...(system === "" ? {} : { system }), stream: false });
