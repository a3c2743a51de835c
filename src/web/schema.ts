import * as z from "zod";
import { fileView } from "../documents/files/schema.ts";

const query = z.string().trim().min(1).max(1000);

/** `POST /api/v1/retrieval/process/web`, as in Open WebUI. */
export const pageToAttach = z.looseObject({
  url: z.string().min(1).max(2000),
  /** A knowledge base of the caller's. */
  collection_name: z.string().max(200).nullish(),
});

export const attachedPage = z.object({
  status: z.literal(true),
  /** The name under which retrieval knows the file: `file-<id>`. */
  collection_name: z.string(),
  filename: z.string(),
  file: fileView,
});

export const searchTrial = z.object({ query });

/** What a provider found, with the time it took; `error` for people where it failed. */
export const searchTrialResult = z.object({
  ok: z.boolean(),
  results: z.array(z.object({ url: z.string(), title: z.string(), snippet: z.string() })),
  latency_ms: z.number().int(),
  error: z.string().optional(),
});
export type SearchTrialResult = z.infer<typeof searchTrialResult>;

/** `POST /api/v1/retrieval/process/web/search`, as in Open WebUI. */
export const webSearchRequest = z.looseObject({ queries: z.array(query).min(1).max(5) });

export const webSearchAnswer = z.object({
  status: z.literal(true),
  filenames: z.array(z.string()),
  items: z.array(z.object({ link: z.string(), title: z.string(), snippet: z.string() })),
  docs: z.array(
    z.object({
      content: z.string(),
      metadata: z.object({ source: z.string(), title: z.string() }),
    }),
  ),
  /** Pages that could not be read, and why. */
  failed: z.array(z.object({ link: z.string(), reason: z.string() })),
  loaded_count: z.number().int(),
});
