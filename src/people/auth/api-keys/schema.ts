import * as z from "zod";
import { accountKind, time } from "../../schema.ts";

// Control characters and half surrogate pairs: neither can be shown.
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** What a key is for, in one line; "" and null are no name. */
export const keyName = z
  .string()
  .trim()
  .max(100)
  .refine((text) => !unprintable.test(text), "a name without line breaks and control characters");

export const apiKeyFields = z.object({ name: keyName.nullish() });

/** The only response with the secret. */
export const newApiKey = z.object({ id: z.string(), name: z.string(), api_key: z.string(), created_at: time });
export type NewApiKey = z.infer<typeof newApiKey>;

export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The secret's last four characters. */
  hint: z.string(),
  /** What a key of a service account can call; null for everything. */
  allowed_endpoints: z.string().nullable(),
  created_at: time,
  /** From then on it is refused; null for never. */
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyList = z.object({ api_keys: z.array(apiKey) });
export type ApiKeyList = z.infer<typeof apiKeyList>;

/** Open WebUI's single key: the newest one. Null replaces its secret, which is shown only once. */
export const newestApiKey = apiKey.extend({ api_key: z.null() });
export type NewestApiKey = z.infer<typeof newestApiKey>;

/** A key for administrators. */
export const managedApiKey = apiKey.extend({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    kind: accountKind,
    organization_id: z.string(),
  }),
});

export const managedApiKeyList = z.object({
  api_keys: z.array(managedApiKey),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});
export type ManagedApiKeyList = z.infer<typeof managedApiKeyList>;

export const managedApiKeyQuery = z.object({
  /** Part of a key's name, of its owner's name or address, or the last characters of the secret. */
  query: z.string().max(200).optional(),
  /** Whose; "" for everyone's. */
  user_id: z.string().max(200).optional(),
  cursor: z.string().max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});
export type ManagedApiKeyQuery = z.infer<typeof managedApiKeyQuery>;

/** Strict: a misspelled `user_id` must not select all people's keys. */
export const ownerQuery = z.strictObject({ user_id: z.string().min(1).max(200).optional() });

export const deletedApiKeys = z.object({ deleted: z.number().int() });

/** The routes that the list of allowed endpoints matches. */
export const endpointReport = z.object({
  /** Whether the list is applied. */
  restricted: z.boolean(),
  entries: z.array(z.object({ entry: z.string(), routes: z.array(z.string()) })),
  /** Entries that mean no route. */
  unknown: z.array(z.string()),
  /** Every route there is. */
  routes: z.array(z.string()),
});
export type EndpointReport = z.infer<typeof endpointReport>;
