import { registerClient, resolveClientMetadata, type OAuthClientMetadata } from "@modelcontextprotocol/client";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { ServerFailure } from "../server-failure.ts";
import { toolServers } from "../tables.ts";
import { noSecrets, openSecrets, sealSecrets, type ToolServer } from "../tool-server.ts";
import type { Authorization } from "./discover-server.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import type { StoredTokens } from "./stored-tokens.ts";

type Client = StoredTokens["client"];

/** The client that was set by hand, or that Parley registered for this authorization server and address. */
export function knownClient(
  { secrets }: Pick<ToolServer, "secrets">,
  issuer: string,
  redirectUri: string,
): Client | undefined {
  const { oauth, registered } = secrets;
  if (oauth.clientId !== "") return { clientId: oauth.clientId, clientSecret: oauth.clientSecret };
  if (!registered || registered.issuer !== issuer || registered.redirectUri !== redirectUri) return undefined;
  const { clientId, clientSecret, method } = registered;
  return { clientId, clientSecret, method };
}

/**
 * Registers Parley with the authorization server (RFC 7591), once for all people. Of two who are first at the same time, one
 * registration is kept.
 * @throws ServerFailure
 */
export async function registerAtServer(
  ctx: Context,
  server: ToolServer,
  { issuer, metadata, scope }: Authorization,
  redirectUri: string,
): Promise<Client> {
  if (!metadata.registration_endpoint)
    throw new ServerFailure(
      "answer",
      `The sign-in of ${server.name} does not register clients automatically: an administrator has to register one there and enter its id`,
    );
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const method = ["client_secret_basic", "client_secret_post", "none"].find((name) => methods.includes(name));
  const clientMetadata: OAuthClientMetadata = {
    client_name: ctx.settings.WEBUI_NAME || "Parley",
    redirect_uris: [redirectUri],
    response_types: ["code"],
    grant_types: ["authorization_code", "refresh_token"],
    ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
  };
  const made = await registerClient(issuer, {
    metadata,
    clientMetadata: resolveClientMetadata({ clientMetadata, redirectUrl: redirectUri }),
    ...(scope === "" ? {} : { scope }),
    fetchFn: oauthFetch(ctx, server),
  });
  return keep(ctx, server.id, {
    clientId: made.client_id,
    clientSecret: made.client_secret ?? "",
    method: made.token_endpoint_auth_method ?? method,
    issuer,
    redirectUri,
  });
}

/** Tries again where the row changes meanwhile, by an administrator or by the registration of somebody else. */
async function keep(
  ctx: Context,
  id: string,
  registered: Client & { issuer: string; redirectUri: string },
): Promise<Client> {
  for (let turn = 0; turn < 5; turn++) {
    const [row] = await ctx.db.select().from(toolServers).where(eq(toolServers.id, id));
    if (!row) throw new AppError("not_found", "No such tool server");
    const secrets = await openSecrets(ctx.vault, row.sealedSecrets).catch(() => noSecrets);
    const other = knownClient({ secrets }, registered.issuer, registered.redirectUri);
    if (other) return other;
    const stored = await ctx.db
      .update(toolServers)
      .set({ sealedSecrets: await sealSecrets(ctx.vault, { ...secrets, registered }) })
      .where(and(eq(toolServers.id, id), sql`${toolServers.sealedSecrets} IS ${row.sealedSecrets}`))
      .returning({ id: toolServers.id });
    if (stored.length > 0) return registered;
  }
  throw new AppError("conflict", "The server is being changed: try again");
}
