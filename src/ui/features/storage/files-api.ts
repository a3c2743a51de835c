import type { FileUses, OwnFile, OwnFilePage } from "../../../documents/files/schema.ts";
import { api } from "../../lib/api.ts";

export type { FileUses, OwnFile };
export type FileSort = "newest" | "largest";

export const listOwnFiles = (
  wanted: { query: string; sort: FileSort; cursor: string | undefined },
  signal?: AbortSignal,
): Promise<OwnFilePage> => api("GET", "/api/v1/files/own", { query: wanted, signal });

export const findFileUses = (id: string, signal?: AbortSignal): Promise<FileUses> =>
  api("GET", `/api/v1/files/${encodeURIComponent(id)}/uses`, { signal });
