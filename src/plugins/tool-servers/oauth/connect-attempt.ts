import { randomState } from "openid-client";
import type { Context } from "../../../context.ts";
import { cookieHeader, readCookie } from "../../../http/cookies.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";

/** Seconds in which somebody has to be back from the server's sign-in. */
const lifetimeSeconds = 600;
const prefix = "tools.";
const path = "/oauth/tools";

/** A pending connection in one browser. It is stored in its own encrypted cookie. */
export interface ConnectAttempt {
  serverId: string;
  userId: string;
  state: string;
  /** Proof of the code (RFC 7636). */
  verifier: string;
  /** Whose answer it has to be (RFC 9207). */
  issuer: string;
  clientId: string;
  redirectUri: string;
  resource: string | undefined;
  /** Page of ours to go on to. */
  next: string;
  /** Epoch seconds. */
  expires: number;
}

/** A new state, by which the cookie of its attempt is found again. */
export function newState(): string {
  return `${randomState().slice(0, 12)}.${randomState().slice(0, 32)}`;
}

/** The cookie that keeps the attempt. */
export async function keepAttempt(ctx: Context, attempt: Omit<ConnectAttempt, "expires">): Promise<string> {
  const expires = ctx.now() + lifetimeSeconds;
  const sealed = await ctx.vault.seal(JSON.stringify({ connect: { ...attempt, expires } }));
  return cookie(ctx, attempt.state, sealed, expires);
}

/** The attempt of a response; undefined if this browser has none, or no longer. It can be used once. */
export async function takeAttempt(
  ctx: Context,
  state: string | undefined,
  cookies: string | undefined,
): Promise<{ attempt: ConnectAttempt | undefined; setCookies: string[] }> {
  if (state === undefined || !/^[\w-]{12}\.[\w-]{32}$/.test(state)) return { attempt: undefined, setCookies: [] };
  const sealed = readCookie(cookies, nameOf(state));
  if (sealed === undefined) return { attempt: undefined, setCookies: [] };
  const attempt = await open(ctx, sealed);
  const fits = attempt?.state === state && attempt.expires >= ctx.now();
  return { attempt: fits ? attempt : undefined, setCookies: [cookie(ctx, state, "", null)] };
}

async function open(ctx: Context, sealed: string): Promise<ConnectAttempt | undefined> {
  try {
    const value = tryParseJson(await ctx.vault.open(sealed));
    // The vault seals other things too; only an attempt says that it is one.
    return isRecord(value) && isRecord(value["connect"]) ? (value["connect"] as unknown as ConnectAttempt) : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(state: string): string {
  return prefix + state.slice(0, state.indexOf("."));
}

function cookie(ctx: Context, state: string, value: string, expiresAt: number | null): string {
  return cookieHeader(nameOf(state), value, { expiresAt, origin: ctx.origin, path });
}
