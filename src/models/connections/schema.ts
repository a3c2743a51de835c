import * as z from "zod";
import { connectionHealth, connectionPolicy, connectionQuirks, policyChange, quirksChange } from "../calling/schema.ts";

/**
 * `openai`: an OpenAI-compatible provider; `local`: a local runtime that also has `/api/tags`; `anthropic`: a provider
 * with a Messages API.
 */
export const connectionKind = z.enum(["openai", "local", "anthropic"]);
export type ConnectionKind = z.infer<typeof connectionKind>;

/** Why a provider's model list failed, for programs; the text beside it is for people. */
export const failureReason = z.enum([
  "refused",
  "unknown_host",
  "timeout",
  "tls",
  "key_refused",
  "not_found",
  "redirected",
  "rate_limited",
  "provider_error",
  "not_a_model_list",
  "too_large",
  "unreachable",
  "secret_lost",
]);
export type FailureReason = z.infer<typeof failureReason>;

const key = z
  .string()
  .trim()
  .max(4096)
  .regex(/^[\x21-\x7e]*$/, "A key cannot have spaces, line breaks or non-ASCII characters");
const headers = z
  .record(z.string().max(100), z.string().max(4096))
  .refine((value) => Object.keys(value).length <= 50, "At most 50 headers");
const names = (max: number) => z.array(z.string().trim().min(1).max(256)).max(max);

/** The fields of a connection, each on its own. */
export const connectionFields = {
  name: z.string().trim().max(80),
  base_url: z.string().trim().min(1).max(2000),
  key,
  headers,
  /** The organization whose people use it; null for everyone. */
  organization_id: z.string().min(1).max(200).nullable(),
  prefix_id: z
    .string()
    .trim()
    .max(40)
    .regex(/^[\w.-]*$/, "Letters, digits, dots, dashes and underscores only"),
  model_ids: names(2000),
  tags: names(50),
  enabled: z.boolean(),
  /** Only the given fields; others stay, or have their defaults. */
  quirks: quirksChange,
  policy: policyChange,
};

/** `key: ""` means no key. */
export const newConnection = z.object({
  kind: connectionKind.default("openai"),
  name: connectionFields.name.default(""),
  base_url: connectionFields.base_url,
  key: connectionFields.key.default(""),
  headers: connectionFields.headers.default({}),
  organization_id: connectionFields.organization_id.default(null),
  prefix_id: connectionFields.prefix_id.default(""),
  model_ids: connectionFields.model_ids.default([]),
  tags: connectionFields.tags.default([]),
  enabled: connectionFields.enabled.default(true),
  quirks: connectionFields.quirks.default({}),
  policy: connectionFields.policy.default({}),
});
export type NewConnection = z.infer<typeof newConnection>;

/** Only the given fields change. `key: ""` removes the key; a header value of eight asterisks keeps the stored one. */
export const connectionChange = z
  .object({ kind: connectionKind, ...connectionFields })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "At least one field is required");
export type ConnectionChange = z.infer<typeof connectionChange>;

/** A connection to test: unsaved, or with `id` a saved one, with the given fields replaced for the test. */
export const connectionTrial = z.object({
  id: z.string().max(100).optional(),
  kind: connectionKind.optional(),
  base_url: connectionFields.base_url.optional(),
  key: connectionFields.key.optional(),
  headers: connectionFields.headers.optional(),
});
export type ConnectionTrial = z.infer<typeof connectionTrial>;

export const connectionStatus = z.object({
  state: z.enum(["ok", "failed", "unknown"]),
  checked_at: z.number().int().nullable(),
  reason: failureReason.optional(),
  error: z.string().optional(),
  model_count: z.number().int(),
  latency_ms: z.number().int(),
});

export const connectionView = z.object({
  id: z.string(),
  kind: connectionKind,
  name: z.string(),
  base_url: z.string(),
  has_key: z.boolean(),
  /** Names with masked values. */
  headers: z.record(z.string(), z.string()),
  organization_id: z.string().nullable(),
  prefix_id: z.string(),
  model_ids: z.array(z.string()),
  tags: z.array(z.string()),
  enabled: z.boolean(),
  locked: z.boolean(),
  /** With all defaults. */
  quirks: connectionQuirks,
  policy: connectionPolicy,
  status: connectionStatus,
  health: connectionHealth,
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type ConnectionView = z.infer<typeof connectionView>;

export const trialResult = z.object({
  ok: z.boolean(),
  /** Provider's own ids. */
  models: z.array(z.string()),
  latency_ms: z.number().int(),
  /** Where the API was found; the address that would be saved. */
  base_url: z.string(),
  reason: failureReason.optional(),
  error: z.string().optional(),
});
export type TrialResult = z.infer<typeof trialResult>;

export const localRuntime = z.object({
  found: z.boolean(),
  base_url: z.string(),
  version: z.string().optional(),
  models: z.array(z.string()).optional(),
});
export type LocalRuntime = z.infer<typeof localRuntime>;
