import type { DownloadView } from "../../../../plugins/packages/downloads/schema.ts";
import type { PackageView } from "../../../../plugins/packages/schema.ts";
import { readError } from "../../../lib/api-error.ts";
import { api } from "../../../lib/api.ts";
import { at } from "../../../lib/base-path.ts";

export type { PackageView };

export const listPackages = async (signal: AbortSignal) =>
  (await api<{ packages: PackageView[] }>("GET", "/api/v1/plugins/packages", { signal })).packages;

/** @throws ApiError */
export async function uploadPackage(file: File): Promise<PackageView> {
  const body = new FormData();
  body.append("file", file);
  const response = await fetch(at("/api/v1/plugins/packages"), { method: "POST", body });
  if (!response.ok) throw await readError(response);
  return (await response.json()) as PackageView;
}

/** @returns how many packages were in it. @throws ApiError */
export async function uploadBundle(file: File): Promise<number> {
  const response = await fetch(at("/api/v1/plugins/packages/bundle"), {
    method: "POST",
    body: file,
    headers: { "content-type": "application/zip" },
  });
  if (!response.ok) throw await readError(response);
  return ((await response.json()) as DownloadView).packages.length;
}

export const deletePackage = (id: string) => api<unknown>("DELETE", `/api/v1/plugins/packages/${id}`);
