import * as z from "zod";
import { grantList, storedGrant } from "../../people/grants/schema.ts";

export const toolServerKind = z.enum(["openapi", "mcp"]);

/**
 * How calls prove who calls: not at all; with one key for everybody; with a short-lived token of the caller's own session; or
 * with an access token that each person gets from the server's own sign-in (OAuth 2.1).
 */
export const toolServerAuth = z.enum(["none", "bearer", "session", "oauth"]);

const unprintable = /[\p{Cc}\p{Cs}]/u;
const key = z
  .string()
  .trim()
  .max(8192)
  .regex(/^[\x21-\x7e]*$/, "A key cannot have spaces, line breaks or non-ASCII characters");
const headers = z
  .record(z.string().max(100), z.string().max(4096))
  .refine((value) => Object.keys(value).length <= 50, "At most 50 headers");
const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((value) => !unprintable.test(value), "Line breaks and control characters are not allowed");

/** Of a client that was registered by hand. Left empty, Parley registers itself (RFC 7591). */
const oauthClient = z.object({
  client_id: text(500).optional(),
  /** `""` removes it; left out, it stays. */
  client_secret: key.optional(),
  /** Space-separated; empty for what the server asks for. */
  scope: text(2000).optional(),
});

const fields = {
  name: text(80),
  description: z.string().trim().max(2000),
  url: z.string().trim().min(1).max(2000),
  spec_path: z.string().trim().max(2000),
  auth_type: toolServerAuth,
  key,
  headers,
  oauth: oauthClient,
  functions: z.array(z.string().min(1).max(128)).max(2000),
  /** Whose people use it; null for everyone's. */
  organization_id: z.string().min(1).max(200).nullable(),
  enabled: z.boolean(),
  /** Seconds that one call may take. */
  timeout: z.number().int().min(1).max(600),
};

export const newToolServer = z.object({
  kind: toolServerKind.default("openapi"),
  /** One's own (direct) server, for nobody else. */
  own: z.boolean().default(false),
  name: fields.name.default(""),
  description: fields.description.default(""),
  url: fields.url,
  spec_path: fields.spec_path.default(""),
  auth_type: fields.auth_type.default("none"),
  key: fields.key.default(""),
  headers: fields.headers.default({}),
  oauth: fields.oauth.default({}),
  functions: fields.functions.default([]),
  organization_id: fields.organization_id.default(null),
  enabled: fields.enabled.default(true),
  timeout: fields.timeout.default(60),
  access_grants: grantList.default([]),
});
export type NewToolServer = z.infer<typeof newToolServer>;

/** Only what is named changes. `key: ""` removes the key; a header value of eight asterisks keeps the stored one. */
export const toolServerChange = z
  .object({ kind: toolServerKind, ...fields })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "At least one field is required");
export type ToolServerChange = z.infer<typeof toolServerChange>;

/** A server to try: unsaved, or with `id` a saved one whose named fields are replaced for the trial. */
export const toolServerTrial = z.object({
  id: z.string().max(100).optional(),
  own: z.boolean().optional(),
  kind: toolServerKind.optional(),
  url: fields.url.optional(),
  spec_path: fields.spec_path.optional(),
  auth_type: fields.auth_type.optional(),
  key: fields.key.optional(),
  headers: fields.headers.optional(),
  organization_id: fields.organization_id.optional(),
});
export type ToolServerTrial = z.infer<typeof toolServerTrial>;

export const toolServerFunction = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the arguments. */
  parameters: z.record(z.string(), z.unknown()),
});

export const toolServerTrialResult = z.object({
  ok: z.boolean(),
  /** What the server calls itself. */
  name: z.string().optional(),
  functions: z.array(toolServerFunction),
  latency_ms: z.number().int(),
  /** Parts of the description that could not be used. */
  warnings: z.array(z.string()),
  error: z.string().optional(),
});
export type ToolServerTrialResult = z.infer<typeof toolServerTrialResult>;

/** Whether each person has to connect to the server themselves, and whether the caller has. */
export const toolServerConnection = z.object({ needed: z.boolean(), connected: z.boolean() });

export const toolServerView = z.object({
  id: z.string(),
  kind: toolServerKind,
  name: z.string(),
  description: z.string(),
  /** Null, as all else that is about how the server is reached, for those who may only use it. */
  url: z.string().nullable(),
  spec_path: z.string().nullable(),
  auth_type: toolServerAuth,
  has_key: z.boolean(),
  /** Names with masked values. */
  headers: z.record(z.string(), z.string()),
  oauth: z.object({ client_id: z.string(), has_client_secret: z.boolean(), scope: z.string() }).nullable(),
  functions: z.array(z.string()),
  organization_id: z.string().nullable(),
  /** Whose own server it is; null for those that administrators keep. */
  user_id: z.string().nullable(),
  enabled: z.boolean(),
  timeout: z.number().int(),
  access_grants: z.array(storedGrant),
  write_access: z.boolean(),
  connection: toolServerConnection.nullable(),
  /** What was found when it was last asked for its functions, by whomever. */
  status: z.object({
    state: z.enum(["ok", "failed", "unknown"]),
    checked_at: z.number().int().nullable(),
    error: z.string().optional(),
    function_count: z.number().int(),
  }),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type ToolServerView = z.infer<typeof toolServerView>;

export const toolServerAccess = z.object({ access_grants: grantList });

/** `next`: page of ours to come back to. */
export const connectBody = z.object({ next: z.string().max(2000).optional() });
export const connectAnswer = z.object({ url: z.string() });

/** A server as chats choose it, among the tools. */
export const listedToolServer = z.object({
  /** `server:<id>` or `server:mcp:<id>`. */
  id: z.string(),
  name: z.string(),
  meta: z.object({ description: z.string() }),
  kind: toolServerKind,
  has_user_valves: z.literal(false),
  connection: toolServerConnection.nullable(),
});
export type ListedToolServer = z.infer<typeof listedToolServer>;
