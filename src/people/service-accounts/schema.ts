import * as z from "zod";
import { keyName } from "../auth/api-keys/schema.ts";
import { organizationRole, personName, time } from "../schema.ts";
import { maxFreeProbes } from "../users/schema.ts";

export const newServiceAccount = z.strictObject({
  name: personName,
  /** What it is for. */
  bio: z.string().trim().max(1000).default(""),
  role: z.enum(["user", "admin"]).default("user"),
  /** Where the landing rules put it, when left out. */
  organization_id: z.string().min(1).max(200).optional(),
  organization_role: organizationRole.default("member"),
  /** How many of its probes count in no quota, in an hour. */
  free_probes: z.number().int().min(0).max(maxFreeProbes).default(0),
});
export type NewServiceAccount = z.output<typeof newServiceAccount>;

export const newServiceKey = z.strictObject({
  name: keyName.nullish(),
  /** As the setting API_KEYS_ALLOWED_ENDPOINTS: routes with commas between. Null or left out: everything that the account may. */
  allowed_endpoints: z.string().trim().min(1).max(10_000).nullish(),
  /** Epoch seconds from which on the key is refused; null or left out for never. */
  expires_at: time.nullish(),
});
export type NewServiceKey = z.output<typeof newServiceKey>;

/** A week: long enough to put the new secret everywhere. */
export const maxKeptSeconds = 7 * 86_400;

export const keyRotation = z.strictObject({
  /** How long the old secret still works. */
  keep_old_seconds: z.number().int().min(0).max(maxKeptSeconds).default(0),
});
export type KeyRotation = z.output<typeof keyRotation>;

/** The only answer with the secret. */
export const madeServiceKey = z.object({
  id: z.string(),
  name: z.string(),
  api_key: z.string(),
  allowed_endpoints: z.string().nullable(),
  expires_at: time.nullable(),
  created_at: time,
});
export type MadeServiceKey = z.output<typeof madeServiceKey>;

export const keyParams = z.object({ id: z.string().min(1).max(200), key_id: z.string().min(1).max(200) });
