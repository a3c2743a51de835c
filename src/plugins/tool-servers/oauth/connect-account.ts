import {
  exchangeAuthorization,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { sql } from "drizzle-orm";
import { requireUser } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { auditRowIf } from "../../../people/audit/audit-row.ts";
import { ownPath } from "../../../people/auth/oidc/return-path.ts";
import { ServerFailure } from "../server-failure.ts";
import { mayUseServer } from "../server-rights.ts";
import { toolServers, toolServerTokens } from "../tables.ts";
import type { ToolServer } from "../tool-server.ts";
import { findVisible, unknownServer } from "../tool-servers.ts";
import { endOf } from "./access-token.ts";
import { keepAttempt, newState, takeAttempt, type ConnectAttempt } from "./connect-attempt.ts";
import { knownClient, registerAtServer } from "./oauth-client.ts";
import { discoverAuthorization } from "./discover-server.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import { clientInformation, isRow, type StoredTokens } from "./stored-tokens.ts";

/** Page of ours that people come back to where they name none. */
const settingsPage = "/settings/tools";

/** Our address for the answers of authorization servers. */
export function redirectAddress(ctx: Pick<Context, "origin">): string {
  return `${ctx.origin}/oauth/tools/callback`;
}

/**
 * Where the browser goes so that the person connects the server with an account of theirs: code flow with PKCE, state and
 * resource (OAuth 2.1, RFC 8707).
 * @param next page of ours to come back to
 * @throws AppError `not_found`, `forbidden`, `bad_request` for a server without OAuth, `tool_server_failed`
 */
export async function startConnect(
  ctx: Context,
  id: string,
  next: string | undefined,
): Promise<{ url: string; setCookie: string }> {
  const { user, server } = await findVisible(ctx, id);
  if (!mayUseServer(user, server)) throw new AppError("forbidden", `You may not use ${server.name}`);
  if (server.authType !== "oauth")
    throw new AppError("bad_request", `${server.name} does not need a personal connection`);
  try {
    const found = await discoverAuthorization(ctx, server);
    const redirectUri = redirectAddress(ctx);
    const client =
      knownClient(server, found.issuer, redirectUri) ?? (await registerAtServer(ctx, server, found, redirectUri));
    const state = newState();
    const { authorizationUrl, codeVerifier } = await startAuthorization(found.issuer, {
      metadata: found.metadata,
      clientInformation: clientInformation(client),
      redirectUrl: redirectUri,
      state,
      ...(found.scope === "" ? {} : { scope: found.scope }),
      ...(found.resource === undefined ? {} : { resource: found.resource }),
    });
    const page = ownPath(next);
    const setCookie = await keepAttempt(ctx, {
      serverId: server.id,
      userId: user.id,
      state,
      verifier: codeVerifier,
      issuer: found.issuer,
      clientId: client.clientId,
      redirectUri,
      resource: found.resource,
      next: page === "/" ? settingsPage : page,
    });
    return { url: authorizationUrl.href, setCookie };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = error instanceof ServerFailure ? error.message : `The sign-in of ${server.name} cannot be used`;
    throw new AppError("tool_server_failed", message, { cause: error });
  }
}

/** What the settings page says of a connection that did not come about. */
type ConnectError = "expired" | "denied" | "failed" | "signed_out";

/**
 * Takes the answer of the authorization server: the person is connected, and goes on to where they were. Everything that goes
 * wrong ends on the settings page.
 * @param answer the query of the callback
 */
export async function finishConnect(
  ctx: Context,
  answer: URLSearchParams,
  cookies: string | undefined,
): Promise<{ location: string; setCookies: string[] }> {
  const { attempt, setCookies } = await takeAttempt(ctx, answer.get("state") ?? undefined, cookies);
  const end = (error: ConnectError) => ({ location: `${settingsPage}?connect_error=${error}`, setCookies });
  if (ctx.actor.kind !== "user") return end("signed_out");
  // Begun by somebody else who used this browser: their connection must not become this person's.
  if (!attempt || attempt.userId !== ctx.actor.id) return end("expired");
  const refusal = answer.get("error");
  if (refusal !== null) return end(refusal === "access_denied" ? "denied" : "failed");
  try {
    await exchange(ctx, attempt, answer);
    return { location: attempt.next, setCookies };
  } catch (error) {
    ctx.log.warn("could not connect to a tool server", { server_id: attempt.serverId, error });
    return end("failed");
  }
}

async function exchange(ctx: Context, attempt: ConnectAttempt, answer: URLSearchParams): Promise<void> {
  const { user, server } = await findVisible(ctx, attempt.serverId);
  if (!mayUseServer(user, server) || server.authType !== "oauth") throw unknownServer();
  const found = await discoverAuthorization(ctx, server);
  if (found.issuer !== attempt.issuer)
    throw new ServerFailure("answer", "The authorization server changed in the meantime");
  const client = knownClient(server, found.issuer, attempt.redirectUri);
  if (!client || client.clientId !== attempt.clientId)
    throw new ServerFailure("answer", "The client changed in the meantime");
  const iss = answer.get("iss") ?? undefined;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: found.issuer,
    issParameterSupported: found.metadata.authorization_response_iss_parameter_supported === true,
  });
  const tokens = await exchangeAuthorization(found.issuer, {
    metadata: found.metadata,
    clientInformation: clientInformation(client),
    authorizationCode: answer.get("code") ?? "",
    ...(iss === undefined ? {} : { iss }),
    codeVerifier: attempt.verifier,
    redirectUri: attempt.redirectUri,
    ...(attempt.resource === undefined ? {} : { resource: attempt.resource }),
    fetchFn: oauthFetch(ctx, server),
  });
  await store(ctx, server, user.id, {
    stored: {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      issuer: found.issuer,
      tokenEndpoint: found.metadata.token_endpoint,
      authMethods: found.metadata.token_endpoint_auth_methods_supported,
      client,
      resource: attempt.resource,
    },
    expiresAt: endOf(ctx, tokens.expires_in),
  });
}

/** Only for the server as it was asked: one that stands elsewhere by now must not get what was meant for this one. */
async function store(
  ctx: Context,
  server: ToolServer,
  userId: string,
  { stored, expiresAt }: { stored: StoredTokens; expiresAt: number | null },
): Promise<void> {
  const isSame = sql`EXISTS (SELECT 1 FROM ${toolServers} WHERE ${toolServers.id} = ${server.id}
    AND ${toolServers.url} = ${server.url} AND ${toolServers.authType} = 'oauth')`;
  const [, , row] = await ctx.db.batch([
    ctx.db.delete(toolServerTokens).where(isRow(server.id, userId)),
    insertWhere(
      ctx.db,
      toolServerTokens,
      {
        serverId: server.id,
        userId,
        sealedTokens: await ctx.vault.seal(JSON.stringify(stored)),
        expiresAt,
        updatedAt: ctx.now(),
      },
      isSame,
    ),
    ctx.db.select({ id: toolServerTokens.serverId }).from(toolServerTokens).where(isRow(server.id, userId)),
    auditRowIf(
      ctx,
      {
        action: "tool_server.connected",
        targetType: "tool_server",
        targetId: server.id,
        detail: { name: server.name, issuer: stored.issuer },
      },
      isSame,
    ),
  ]);
  if (row.length === 0) throw new AppError("conflict", "The tool server was changed in the meantime");
}

/** Forgets the person's access to the server. @throws AppError `not_found` */
export async function disconnect(ctx: Context, id: string): Promise<void> {
  const user = requireUser(ctx);
  const { server } = await findVisible(ctx, id);
  await ctx.db.batch([
    ctx.db.delete(toolServerTokens).where(isRow(id, user.id)),
    auditRowIf(ctx, {
      action: "tool_server.disconnected",
      targetType: "tool_server",
      targetId: id,
      detail: { name: server.name },
    }),
  ]);
}
