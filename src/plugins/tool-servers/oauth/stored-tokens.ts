import { and, eq } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import type { Vault } from "../../../ports.ts";
import { toolServerTokens } from "../tables.ts";
import type { OAuthClient } from "../tool-server.ts";

/** A person's access to one server, with everything needed to renew it: plain data, encrypted at rest. */
export interface StoredTokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** Of the authorization server that gave them. */
  issuer: string;
  tokenEndpoint: string;
  /** How clients sign in there; undefined where it does not say. */
  authMethods: string[] | undefined;
  client: OAuthClient & { method?: string | undefined };
  /** Whom the tokens are for (RFC 8707). */
  resource: string | undefined;
}

export type TokenRow = typeof toolServerTokens.$inferSelect;

export async function loadTokens(ctx: Context, serverId: string, userId: string): Promise<TokenRow | undefined> {
  const [row] = await ctx.db.select().from(toolServerTokens).where(isRow(serverId, userId));
  return row;
}

export function isRow(serverId: string, userId: string) {
  return and(eq(toolServerTokens.serverId, serverId), eq(toolServerTokens.userId, userId));
}

/** Undefined if it cannot be decrypted. */
export async function openTokens(vault: Vault, { sealedTokens }: TokenRow): Promise<StoredTokens | undefined> {
  try {
    const value = tryParseJson(await vault.open(sealedTokens));
    return isRecord(value) && typeof value["accessToken"] === "string" ? (value as unknown as StoredTokens) : undefined;
  } catch {
    return undefined;
  }
}

/** A client as the protocol's functions know it. */
export function clientInformation({ clientId, clientSecret, method }: StoredTokens["client"]) {
  return {
    client_id: clientId,
    ...(clientSecret === "" ? {} : { client_secret: clientSecret }),
    ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
  };
}

/** The part of an authorization server's metadata that renewal needs. */
export function metadataOf({ issuer, tokenEndpoint, authMethods }: StoredTokens) {
  return {
    issuer,
    authorization_endpoint: tokenEndpoint,
    token_endpoint: tokenEndpoint,
    response_types_supported: ["code"],
    ...(authMethods ? { token_endpoint_auth_methods_supported: authMethods } : {}),
  };
}
