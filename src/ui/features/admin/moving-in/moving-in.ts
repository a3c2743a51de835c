import type * as z from "zod";
import type { ImportView, ItemState, itemsPage } from "../../../../imports/schema.ts";
import { api } from "../../../lib/api.ts";

export type { ImportView, ItemState };

const base = "/api/v1/imports";
const of = (id: string): string => `${base}/${encodeURIComponent(id)}`;

export async function listImports(signal?: AbortSignal): Promise<ImportView[]> {
  return (await api<{ imports: ImportView[] }>("GET", base, { signal })).imports;
}

export const getImport = (id: string, signal?: AbortSignal): Promise<ImportView> => api("GET", of(id), { signal });

export const listItems = (
  id: string,
  query: { state?: ItemState | undefined; cursor?: string | undefined; limit?: number },
  signal?: AbortSignal,
): Promise<z.infer<typeof itemsPage>> => api("GET", `${of(id)}/items`, { query, signal });

export const forgetImport = (id: string): Promise<unknown> => api("DELETE", of(id));
