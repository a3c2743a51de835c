import * as z from "zod";

/** Where data can come from. */
export const importSources = ["open-webui", "parley"] as const;

/**
 * What became of a record: `begun` for one whose rest follows, `created`, `changed` (created, with something different or
 * missing), `matched` (it was here already), `left_out` (on purpose) or `failed`.
 */
export const itemStates = ["begun", "created", "changed", "matched", "left_out", "failed"] as const;
export type ItemState = (typeof itemStates)[number];

/** The most records that one request may send. */
export const maxRecords = 500;

/** Ids as the source has them. */
export const sourceId = z.string().min(1).max(300);

export const newImport = z.object({
  source: z.enum(importSources),
  /** The same for every copy of one source. */
  fingerprint: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(300),
});

/** One record; its own shape depends on its kind (src/imports/kinds.ts). */
export const anyRecord = z.looseObject({ kind: z.string().max(40), id: sourceId });
export type AnyRecord = z.infer<typeof anyRecord>;

export const recordsBody = z.object({
  records: z.array(anyRecord).max(maxRecords),
  /** People whose address has an account here are matched with it. Without it they are left out. */
  merge_by_email: z.boolean().default(false),
  /** Nothing is stored: the results say what would become of each record. */
  dry_run: z.boolean().default(false),
});
export type RecordsBody = z.infer<typeof recordsBody>;

export const recordResult = z.object({
  kind: z.string(),
  id: z.string(),
  state: z.enum(itemStates),
  /** Whether an earlier request did this. */
  earlier: z.boolean(),
  target_id: z.string().nullable(),
  notes: z.array(z.string()),
});
export type RecordResult = z.infer<typeof recordResult>;

export const recordsAnswer = z.object({ results: z.array(recordResult) });

export const fileParams = z.object({ id: z.string().min(1).max(200), file_id: sourceId });
/** What is said of a file beside its bytes. */
export const fileQuery = z.object({
  /** Its owner, by the id at the source. */
  person_id: sourceId,
  name: z.string().max(2000),
  content_type: z.string().max(200).optional(),
  /** Epoch seconds. */
  created_at: z.coerce.number().int().min(0).optional(),
  /** What is kept with it: a JSON object. */
  meta: z.string().max(10_000).optional(),
  /** What the sender has changed, for the report. */
  note: z.string().max(500).optional(),
});

const counts = z.array(z.object({ kind: z.string(), state: z.enum(itemStates), count: z.number() }));

/** An import with how many records of each kind have come to which state. */
export const importView = z.object({
  id: z.string(),
  source: z.enum(importSources),
  fingerprint: z.string(),
  name: z.string(),
  user_id: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  counts,
});
export type ImportView = z.infer<typeof importView>;
export const importList = z.object({ imports: z.array(importView) });

export const itemsQuery = z.object({
  state: z.enum(itemStates).optional(),
  kind: z.string().max(40).optional(),
  /** `next_cursor` of the page before. */
  cursor: z.string().max(700).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export const importItem = z.object({
  kind: z.string(),
  id: z.string(),
  target_id: z.string().nullable(),
  state: z.enum(itemStates),
  notes: z.array(z.string()),
});
export const itemsPage = z.object({ items: z.array(importItem), next_cursor: z.string().nullable() });
