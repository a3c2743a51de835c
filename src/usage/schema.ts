import * as z from "zod";

/** The API of a model call; `task`: by the service itself, such as for a title. */
export const usageApis = [
  "chat",
  "messages",
  "responses",
  "embeddings",
  "images",
  "audio",
  "local",
  "channel",
  "task",
] as const;
export type UsageApi = (typeof usageApis)[number];

/** `stopped`: the caller left or the run was stopped before the answer was complete. */
export const usageStates = ["done", "error", "stopped"] as const;
export type UsageState = (typeof usageStates)[number];

/** A form that leaves a field empty leaves it out. */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());
const word = unlessEmpty(z.string().max(256));
const moment = unlessEmpty(z.coerce.number().int().min(0).max(1e11));

/** Dimensions of a report. */
export const ownDimensions = ["day", "model", "key", "api"] as const;
export const dimensions = [...ownDimensions, "base_model", "person", "group", "organization", "connection"] as const;
export type Dimension = (typeof dimensions)[number];

/** Names with commas between. */
const listOf = <T extends Dimension>(known: readonly T[]) =>
  z
    .string()
    .default("day")
    .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== ""))
    .pipe(z.array(z.enum(known as readonly [T, ...T[]])).max(3));

const ownFields = {
  /** Epoch seconds; whole days in UTC are counted, both ends included. By default the last 30 days. */
  from: moment,
  to: moment,
  model: word,
  key_id: word,
  api: unlessEmpty(z.enum(usageApis)),
};
const managedFields = {
  ...ownFields,
  user_id: word,
  group_id: word,
  organization_id: word,
  connection_id: word,
};

export const ownUsageQuery = z.object({ ...ownFields, group_by: listOf(ownDimensions) });
export const usageQuery = z.object({ ...managedFields, group_by: listOf(dimensions) });
export type UsageQuery = z.output<typeof usageQuery>;

const sums = {
  /** Calls of models, further ones of the same turn and the service's own included. */
  calls: z.number().int(),
  /** What people and programs asked for. */
  requests: z.number().int(),
  /** Calls that failed. */
  errors: z.number().int(),
  input: z.number().int(),
  /** Of the input: read from, and written into the provider's cache. */
  cached: z.number().int(),
  cache_write: z.number().int(),
  output: z.number().int(),
  /** Of the output. */
  reasoning: z.number().int(),
  total: z.number().int(),
  /** Of the total: estimated, because the provider did not say. */
  estimated: z.number().int(),
  duration_ms: z.number().int(),
  /** Of the calls: those that monitors made. */
  probes: z.number().int(),
};

/** What a row stands for: the fields of `group_by`. Empty ids: nobody, no key, no connection. Names are those of today. */
const about = {
  /** Such as 2026-07-01. */
  day: z.string().optional(),
  model: z.string().optional(),
  base_model: z.string().optional(),
  api: z.string().optional(),
  key_id: z.string().optional(),
  key_name: z.string().nullable().optional(),
  user_id: z.string().optional(),
  user_name: z.string().nullable().optional(),
  group_id: z.string().optional(),
  group_name: z.string().nullable().optional(),
  organization_id: z.string().optional(),
  organization_name: z.string().nullable().optional(),
  connection_id: z.string().optional(),
  connection_name: z.string().nullable().optional(),
};

export const usageRow = z.object({ ...about, ...sums });
export type UsageRow = z.output<typeof usageRow>;

export const usageReport = z.object({
  /** The days that were counted. */
  from: z.string(),
  to: z.string(),
  /** Of everything: people may be in several groups. */
  totals: z.object(sums),
  rows: z.array(usageRow),
  /** There are more rows than were sent. */
  is_truncated: z.boolean(),
});
export type UsageReport = z.output<typeof usageReport>;

const paging = {
  cursor: unlessEmpty(z.string().max(2000)),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};
export const ownCallsQuery = z.object({ ...ownFields, ...paging });
export const callsQuery = z.object({
  ...managedFields,
  ...paging,
  /** Only what failed or was stopped, or only what was not. */
  state: unlessEmpty(z.enum(usageStates)),
});
export type CallsQuery = z.output<typeof callsQuery>;

/** One call of a model. */
export const usageCall = z.object({
  id: z.string(),
  /** When it was over, epoch seconds. */
  at: z.number().int(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  organization_id: z.string().nullable(),
  model: z.string(),
  base_model: z.string(),
  connection_id: z.string().nullable(),
  api: z.enum(usageApis),
  state: z.enum(usageStates),
  code: z.string().nullable(),
  input: z.number().int(),
  cached: z.number().int(),
  cache_write: z.number().int(),
  output: z.number().int(),
  reasoning: z.number().int(),
  total: z.number().int(),
  is_estimated: z.boolean(),
  is_request: z.boolean(),
  /** The caller says that a monitor asked. */
  is_probe: z.boolean(),
  /** A probe that counts in no quota. */
  is_free: z.boolean(),
  duration_ms: z.number().int(),
  /** Until the first piece of a stream. */
  first_ms: z.number().int().nullable(),
});
export type UsageCall = z.output<typeof usageCall>;
export const usageCallPage = z.object({ calls: z.array(usageCall), next_cursor: z.string().nullable() });
export type UsageCallPage = z.output<typeof usageCallPage>;

/** In Open WebUI's format. */
export const usageNow = z.object({ model_ids: z.array(z.string()), user_count: z.number().int() });
