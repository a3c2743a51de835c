import { OAuthError, refreshAuthorization } from "@modelcontextprotocol/client";
import { and, eq, gte, or, sql } from "drizzle-orm";
import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { ServerFailure } from "../server-failure.ts";
import { toolServerTokens } from "../tables.ts";
import type { ToolServer } from "../tool-server.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import {
  clientInformation,
  isRow,
  loadTokens,
  metadataOf,
  openTokens,
  type StoredTokens,
  type TokenRow,
} from "./stored-tokens.ts";

/** Seconds before its end at which a token is renewed. */
const marginSeconds = 30;
/** Seconds after which somebody else renews what one has begun to. */
const leaseSeconds = 15;
/** How often, and how many milliseconds apart, others look whether it is done. */
const maxLooks = 20;
const pauseMs = 200;
/** Errors of a token endpoint after which no further try can help. */
const taken = new Set<string>(["invalid_grant", "invalid_client", "unauthorized_client"]);

/**
 * The person's access token for the server, renewed where it has ended.
 * @param rejected a token that the server has just refused: another one is needed
 * @throws ServerFailure `sign_in` where the person has to connect (again)
 */
export async function accessToken(ctx: Context, user: User, server: ToolServer, rejected?: string): Promise<string> {
  const row = await loadTokens(ctx, server.id, user.id);
  const tokens = row && (await openTokens(ctx.vault, row));
  if (!row || !tokens) throw notConnected(server);
  const isGood = row.expiresAt === null || row.expiresAt > ctx.now() + marginSeconds;
  if (isGood && tokens.accessToken !== rejected) return tokens.accessToken;
  return renew(ctx, user, server, row, tokens, rejected);
}

export function notConnected({ name }: Pick<ToolServer, "name">): ServerFailure {
  return new ServerFailure(
    "sign_in",
    `To use the tools of ${name}, first connect your account in the settings under Tool servers.`,
  );
}

async function renew(
  ctx: Context,
  user: User,
  server: ToolServer,
  row: TokenRow,
  tokens: StoredTokens,
  rejected: string | undefined,
): Promise<string> {
  const isThis = and(isRow(server.id, user.id), eq(toolServerTokens.sealedTokens, row.sealedTokens));
  if (tokens.refreshToken === undefined) {
    await ctx.db.delete(toolServerTokens).where(isThis);
    throw notConnected(server);
  }
  // Many servers take a refresh token once only, and end all access when it comes twice: so one request renews.
  const now = ctx.now();
  const isFree = or(gte(toolServerTokens.updatedAt, 0), sql`-${toolServerTokens.updatedAt} < ${now - leaseSeconds}`);
  const claimed = await ctx.db
    .update(toolServerTokens)
    .set({ updatedAt: -now })
    .where(and(isThis, isFree))
    .returning({ serverId: toolServerTokens.serverId });
  if (claimed.length === 0) return waitForOther(ctx, user, server, row, tokens, rejected);
  try {
    const fresh = await refreshAuthorization(tokens.issuer, {
      metadata: metadataOf(tokens),
      clientInformation: clientInformation(tokens.client),
      refreshToken: tokens.refreshToken,
      ...(tokens.resource === undefined ? {} : { resource: tokens.resource }),
      fetchFn: oauthFetch(ctx, server),
    });
    const next: StoredTokens = {
      ...tokens,
      accessToken: fresh.access_token,
      refreshToken: fresh.refresh_token ?? tokens.refreshToken,
    };
    const stored = await ctx.db
      .update(toolServerTokens)
      .set({
        sealedTokens: await ctx.vault.seal(JSON.stringify(next)),
        expiresAt: endOf(ctx, fresh.expires_in),
        updatedAt: ctx.now(),
      })
      .where(isThis)
      .returning({ serverId: toolServerTokens.serverId });
    if (stored.length === 0) throw notConnected(server);
    return next.accessToken;
  } catch (error) {
    if (error instanceof ServerFailure && error.kind === "sign_in") throw error;
    // The server has taken the access back (RFC 6749, 5.2): only the person can give it again.
    if (error instanceof OAuthError && taken.has(error.code)) {
      await ctx.db.delete(toolServerTokens).where(isThis);
      throw notConnected(server);
    }
    await ctx.db.update(toolServerTokens).set({ updatedAt: ctx.now() }).where(isThis);
    const still = tokens.accessToken !== rejected && row.expiresAt !== null && row.expiresAt > ctx.now() + 2;
    if (still) return tokens.accessToken;
    throw notRenewed(server, error);
  }
}

/** Epoch seconds; null where the server does not say. */
export function endOf(ctx: Pick<Context, "now">, expiresIn: number | undefined): number | null {
  return expiresIn === undefined || !Number.isFinite(expiresIn) ? null : ctx.now() + Math.max(0, Math.floor(expiresIn));
}

async function waitForOther(
  ctx: Context,
  user: User,
  server: ToolServer,
  row: TokenRow,
  tokens: StoredTokens,
  rejected: string | undefined,
): Promise<string> {
  if (tokens.accessToken !== rejected && row.expiresAt !== null && row.expiresAt > ctx.now() + 2)
    return tokens.accessToken;
  for (let look = 0; look < maxLooks; look++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const current = await loadTokens(ctx, server.id, user.id);
    const opened = current && (await openTokens(ctx.vault, current));
    if (!current || !opened) throw notConnected(server);
    if (current.sealedTokens !== row.sealedTokens) return opened.accessToken;
    // Who tried has given it up.
    if (current.updatedAt >= 0) break;
  }
  throw notRenewed(server);
}

function notRenewed({ name }: Pick<ToolServer, "name">, cause?: unknown): ServerFailure {
  return new ServerFailure("refused", `Your access to ${name} has expired and could not be renewed`, cause);
}
