import { maskedValue } from "../../http/header-rules.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { grantView, type Grant } from "../../people/grants/grant.ts";
import type { Vault } from "../../ports.ts";
import type { ToolServerView } from "./schema.ts";
import type { toolServers } from "./tables.ts";

export type ToolServerRow = typeof toolServers.$inferSelect;

/** An OAuth client as the authorization server knows it. */
export interface OAuthClient {
  clientId: string;
  /** Empty for a public client. */
  clientSecret: string;
}

/** What is sealed in a server's row. */
export interface ToolServerSecrets {
  /** Empty for none. */
  key: string;
  headers: Record<string, string>;
  oauth: OAuthClient & { scope: string };
  /** The client that Parley registered, for one authorization server and one address to come back to. */
  registered?: OAuthClient & { issuer: string; redirectUri: string; method?: string | undefined };
}

export const noSecrets: ToolServerSecrets = {
  key: "",
  headers: {},
  oauth: { clientId: "", clientSecret: "", scope: "" },
};

/** A server with its secrets opened: plain data, never sent to anyone. */
export interface ToolServer extends Omit<ToolServerRow, "sealedSecrets"> {
  secrets: ToolServerSecrets;
  grants: Grant[];
  /** Set where the stored secrets cannot be opened any more; such a server is not asked. */
  unusable?: string;
}

export async function openToolServer(vault: Vault, row: ToolServerRow, grants: Grant[]): Promise<ToolServer> {
  const { sealedSecrets, ...rest } = row;
  try {
    return { ...rest, grants, secrets: await openSecrets(vault, sealedSecrets) };
  } catch {
    return {
      ...rest,
      grants,
      secrets: noSecrets,
      unusable: `The stored secrets of ${row.name} cannot be decrypted with this service's keys: enter them again`,
    };
  }
}

/** @throws Error when the text cannot be opened. */
export async function openSecrets(vault: Vault, sealed: string | null): Promise<ToolServerSecrets> {
  if (sealed === null) return noSecrets;
  const value = tryParseJson(await vault.open(sealed));
  if (!isRecord(value)) throw new Error("not the secrets of a tool server");
  return { ...noSecrets, ...(value as Partial<ToolServerSecrets>) };
}

/** Sealed, or null where there are none. */
export async function sealSecrets(vault: Vault, secrets: ToolServerSecrets): Promise<string | null> {
  return JSON.stringify(secrets) === JSON.stringify(noSecrets) ? null : vault.seal(JSON.stringify(secrets));
}

/** What chats call the server by, as at the peer. */
export function toolServerId({ kind, id }: Pick<ToolServer, "kind" | "id">): string {
  return kind === "mcp" ? `server:mcp:${id}` : `server:${id}`;
}

/** The id within one of `server:<id>` or `server:mcp:<id>`; undefined for other ids. */
export function bareServerId(id: string): string | undefined {
  return /^server:(?:mcp:)?([^:]+)$/.exec(id)?.[1];
}

/** Each person connects to it with an account of theirs. */
export function connectionOf(server: Pick<ToolServer, "authType" | "id">, connected: ReadonlySet<string>) {
  return server.authType === "oauth" ? { needed: true, connected: connected.has(server.id) } : null;
}

/** The server for someone who looks at it: how it is reached only for those who may change it, secrets for nobody. */
export function toolServerView(
  server: ToolServer,
  canWrite: boolean,
  connected: ReadonlySet<string>,
  status: ToolServerView["status"],
): ToolServerView {
  const { secrets } = server;
  const { clientId, clientSecret, scope } = secrets.oauth;
  return {
    id: server.id,
    kind: server.kind,
    name: server.name,
    description: server.description,
    url: canWrite ? server.url : null,
    spec_path: canWrite ? server.specPath : null,
    auth_type: server.authType,
    has_key: canWrite && secrets.key !== "",
    headers: canWrite
      ? Object.fromEntries(Object.keys(secrets.headers).map((name): [string, string] => [name, maskedValue]))
      : {},
    oauth: canWrite ? { client_id: clientId, has_client_secret: clientSecret !== "", scope } : null,
    functions: canWrite ? server.functions : [],
    organization_id: server.organizationId,
    user_id: server.userId,
    enabled: server.enabled,
    timeout: server.timeout,
    access_grants: canWrite ? server.grants.map(grantView) : [],
    write_access: canWrite,
    connection: connectionOf(server, connected),
    status: server.unusable
      ? { state: "failed", checked_at: null, error: canWrite ? server.unusable : "Not usable", function_count: 0 }
      : canWrite
        ? status
        : { state: status.state, checked_at: status.checked_at, function_count: status.function_count },
    created_at: server.createdAt,
    updated_at: server.updatedAt,
  };
}
