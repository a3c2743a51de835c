import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type AuthorizationServerMetadata,
  type FetchLike,
} from "@modelcontextprotocol/client";
import type { Context } from "../../../context.ts";
import { documentAddress } from "../openapi/fetch-listing.ts";
import { ServerFailure } from "../server-failure.ts";
import type { ToolServer } from "../tool-server.ts";
import { oauthFetch } from "./oauth-fetch.ts";

/** Who gives access to a tool server, and how it is asked for. */
export interface Authorization {
  /** The authorization server's own name of itself. */
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** Whom the tokens are for (RFC 8707); undefined where the tool server says nothing of it. */
  resource: string | undefined;
  /** Space-separated; empty where nothing is asked for. */
  scope: string;
}

/**
 * Finds out how people get access to a tool server: by what it says when it is asked without a token, by its metadata
 * (RFC 9728), and by that of the authorization server which that names (RFC 8414, OpenID Connect Discovery). A server without
 * any metadata may be its own authorization server.
 * @throws ServerFailure
 */
export async function discoverAuthorization(ctx: Context, server: ToolServer): Promise<Authorization> {
  const fetch = oauthFetch(ctx, server);
  const { host } = new URL(server.url);
  try {
    const challenge = await challengeOf(server, fetch);
    const said = await discoverOAuthProtectedResourceMetadata(
      server.url,
      challenge.resourceMetadataUrl ? { resourceMetadataUrl: challenge.resourceMetadataUrl } : {},
      fetch,
    ).catch((error: unknown) => {
      // Nothing was said of it: an older server, which is its own authorization server.
      if (error instanceof ServerFailure || challenge.resourceMetadataUrl) throw error;
      return undefined;
    });
    if (said && !checkResourceAllowed({ requestedResource: server.url, configuredResource: said.resource }))
      throw new ServerFailure("answer", `${host} reports that its sign-in is for another address: ${said.resource}`);
    const address = said?.authorization_servers?.[0] ?? new URL("/", server.url).href;
    const metadata = await discoverAuthorizationServerMetadata(address, { fetchFn: fetch });
    if (!metadata) throw new ServerFailure("answer", `${host} does not publish its sign-in (OAuth 2.1 metadata)`);
    check(metadata, host);
    return {
      issuer: metadata.issuer,
      metadata,
      resource: said?.resource,
      scope: scopeOf(server, challenge.scope, said?.scopes_supported, metadata.scopes_supported),
    };
  } catch (error) {
    if (error instanceof ServerFailure) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new ServerFailure("answer", `The sign-in of ${host} cannot be used: ${reason}`, error);
  }
}

/** What the server answers without a token (RFC 9728, section 5.1). */
async function challengeOf(
  server: ToolServer,
  fetch: FetchLike,
): Promise<{ resourceMetadataUrl?: URL; scope?: string }> {
  const response =
    server.kind === "mcp"
      ? await fetch(server.url, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
        })
      : await fetch(documentAddress(server), { headers: { accept: "application/json" } });
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
}

/** Where the browser and the code go must be encrypted, except on one's own machine. @throws ServerFailure */
function check(metadata: AuthorizationServerMetadata, host: string): void {
  for (const address of [metadata.authorization_endpoint, metadata.token_endpoint]) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isLocal = url !== undefined && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal))
      throw new ServerFailure("answer", `The sign-in of ${host} is not encrypted: ${address.slice(0, 200)}`);
  }
  const methods = metadata.code_challenge_methods_supported;
  if (methods && !methods.includes("S256"))
    throw new ServerFailure("answer", `The sign-in of ${host} does not support PKCE with S256`);
}

function scopeOf(
  { secrets }: ToolServer,
  challenged: string | undefined,
  ofResource: string[] | undefined,
  ofServer: string[] | undefined,
): string {
  if (secrets.oauth.scope !== "") return secrets.oauth.scope;
  const asked = challenged ?? ofResource?.join(" ") ?? "";
  // Without it many servers give no refresh token, and people would have to connect again every hour.
  const isOffered = ofServer?.includes("offline_access") === true && !asked.split(" ").includes("offline_access");
  return isOffered ? `${asked} offline_access`.trim() : asked;
}
