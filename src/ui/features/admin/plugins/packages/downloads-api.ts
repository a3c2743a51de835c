import type { DownloadList, DownloadView } from "../../../../../plugins/packages/downloads/schema.ts";
import { api } from "../../../../lib/api.ts";

export type { DownloadList, DownloadView };

const base = "/api/v1/plugins/packages/downloads";
const at = (id: string) => `${base}/${encodeURIComponent(id)}`;
/** Registries are asked about each package. */
const timeoutMs = 90_000;

export const listDownloads = (signal: AbortSignal) => api<DownloadList>("GET", base, { signal });
export const planDownload = (packages: string[]) =>
  api<DownloadView>("POST", base, { body: { packages }, timeout: timeoutMs });
export const getDownload = (id: string) => api<DownloadView>("GET", at(id));
export const startDownload = (id: string) => api<DownloadView>("POST", `${at(id)}/start`);
export const stopDownload = (id: string) => api<DownloadView>("POST", `${at(id)}/stop`);
export const forgetDownload = (id: string) => api<unknown>("DELETE", at(id));
