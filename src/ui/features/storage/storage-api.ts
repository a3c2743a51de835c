import type { OwnStorage, StorageReport } from "../../../documents/storage/schema.ts";
import { api } from "../../lib/api.ts";

export type { OwnStorage, StorageReport };
export type LargeFile = OwnStorage["largest_files"][number];

export const getOwnStorage = (limit: number, signal?: AbortSignal): Promise<OwnStorage> =>
  api("GET", "/api/v1/storage", { query: { limit }, signal });

/** Who uses most, of all whom the caller administers. */
export const getStorageReport = (limit: number, signal?: AbortSignal): Promise<StorageReport> =>
  api("GET", "/api/v1/storage/admin", { query: { limit }, signal });
