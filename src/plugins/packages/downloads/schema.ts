import * as z from "zod";

export const downloadStates = ["planned", "running", "done", "failed", "stopped"] as const;

/** A package that would be fetched. */
const plannedPackage = z.object({
  /** Normalized (PEP 503). */
  name: z.string(),
  version: z.string(),
  filename: z.string(),
  /** Of the file, hexadecimal: no other file is taken. */
  sha256: z.string(),
  /** Bytes; null where the registry does not say. */
  size: z.number().int().nullable(),
  /** As the package says; null where it says nothing. */
  license: z.string().nullable(),
  summary: z.string().nullable(),
  /** Host of the registry. */
  registry: z.string(),
  /** Packages that need it; empty for one that was asked for. */
  needed_by: z.array(z.string()),
  /** Version that plugins have now, and that it takes the place of. */
  replaces: z.string().nullable(),
  /** A well-known package with nearly the same name. */
  looks_like: z.string().nullable(),
});
export type PlannedPackage = z.infer<typeof plannedPackage>;

const presentPackage = z.object({ name: z.string(), version: z.string(), built_in: z.boolean() });
export type PresentPackage = z.infer<typeof presentPackage>;

export const downloadView = z.object({
  id: z.string(),
  organization_id: z.string(),
  state: z.enum(downloadStates),
  /** Requirements that were asked for. */
  wanted: z.array(z.string()),
  packages: z.array(plannedPackage),
  /** What is needed and there already. */
  present: z.array(presentPackage),
  /** What it is at, for people. */
  status: z.string(),
  /** Bytes. */
  completed: z.number().int(),
  /** Bytes, without those of unknown size. */
  total: z.number().int(),
  /** Why it failed, for people. */
  error: z.string().nullable(),
  /** Epoch seconds. */
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type DownloadView = z.infer<typeof downloadView>;

/** `registries`: hosts that packages may come from; none: nothing can be fetched. */
export const downloadList = z.object({ registries: z.array(z.string()), downloads: z.array(downloadView) });
export type DownloadList = z.infer<typeof downloadList>;

/** `packages`: names, also as they are imported, or requirements such as `openai>=1,<2`. */
export const wantedPackages = z.object({
  packages: z.array(z.string().trim().min(1).max(300)).min(1).max(30),
  organization_id: z.string().min(1).max(200).optional(),
});
export type WantedPackages = z.infer<typeof wantedPackages>;

export const downloadIdParam = z.object({ id: z.string().min(1).max(200) });
export const downloadQuery = z.object({ organization_id: z.string().min(1).max(200).optional() });
