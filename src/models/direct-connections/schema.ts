import * as z from "zod";
import { connectionQuirks } from "../calling/schema.ts";
import { connectionFields, connectionStatus } from "../connections/schema.ts";

const kind = z.enum(["openai", "anthropic"]);
const { name, base_url, key, prefix_id, model_ids, enabled, quirks } = connectionFields;

/** `key: ""` means no key. */
export const newDirectConnection = z.object({
  kind: kind.default("openai"),
  name: name.default(""),
  base_url,
  key: key.default(""),
  prefix_id: prefix_id.default(""),
  model_ids: model_ids.default([]),
  enabled: enabled.default(true),
  quirks: quirks.default({}),
});
export type NewDirectConnection = z.infer<typeof newDirectConnection>;

/** Only the given fields change; `quirks` are replaced as a whole. `key: ""` removes the key. */
export const directConnectionChange = z
  .object({ kind, name, base_url, key, prefix_id, model_ids, enabled, quirks })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "At least one field is required");
export type DirectConnectionChange = z.infer<typeof directConnectionChange>;

/** A connection to test: unsaved, or with `id` a saved one, with the given fields replaced for the test. */
export const directTrial = z.object({
  id: z.string().max(100).optional(),
  kind: kind.optional(),
  base_url: base_url.optional(),
  key: key.optional(),
});
export type DirectTrial = z.infer<typeof directTrial>;

export const directConnectionView = z.object({
  id: z.string(),
  kind,
  name: z.string(),
  base_url: z.string(),
  /** The key itself can be written but never read. */
  has_key: z.boolean(),
  prefix_id: z.string(),
  model_ids: z.array(z.string()),
  /** With all defaults. */
  quirks: connectionQuirks,
  enabled: z.boolean(),
  /** Whether it is used now: switched on, and allowed to its owner. */
  usable: z.boolean(),
  status: connectionStatus,
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type DirectConnectionView = z.infer<typeof directConnectionView>;

export const directConnectionList = z.object({
  /** Whether the caller may have direct connections now. */
  allowed: z.boolean(),
  connections: z.array(directConnectionView),
});
export type DirectConnectionList = z.infer<typeof directConnectionList>;
