import { parse } from "hono/utils/cookie";
import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import type { Context } from "../../../context.ts";
import { cookieHeader, readCookie } from "../../../http/cookies.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";

/** Seconds in which somebody has to be back from the provider. */
const lifetimeSeconds = 600;
/** Attempts of one browser that are kept; older ones make room, so that nobody can fill it with cookies. */
const maxAttempts = 6;
const prefix = "sso.";
const path = "/oauth";

/** A pending sign-in in one tab, bound to one provider. It is stored in its own encrypted cookie. */
export interface Attempt {
  provider: string;
  state: string;
  nonce: string;
  /** PKCE verifier (RFC 7636). */
  verifier: string;
  redirectUri: string;
  /** The page to continue to. */
  next: string;
  /** Epoch seconds. */
  expires: number;
}

/**
 * A new attempt and its cookies. Each attempt has its own, so that tabs do not interfere.
 * @param cookies the request's `Cookie` header
 */
export async function startAttempt(
  ctx: Context,
  attempt: Pick<Attempt, "provider" | "redirectUri" | "next">,
  cookies: string | undefined,
): Promise<{ attempt: Attempt; setCookies: string[] }> {
  const id = `${ctx.now().toString(36)}${randomState().slice(0, 8)}`;
  const started: Attempt = {
    ...attempt,
    state: `${id}.${randomState()}`,
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    expires: ctx.now() + lifetimeSeconds,
  };
  const sealed = await ctx.vault.seal(JSON.stringify({ attempt: started }));
  // Their names begin with the time in digits of equal number: sorted is oldest first.
  const others = cookieNames(cookies).sort();
  const tooMany = others.slice(0, Math.max(0, others.length - maxAttempts + 1));
  return {
    attempt: started,
    setCookies: [setCookie(ctx, prefix + id, sealed), ...tooMany.map((name) => drop(ctx, name))],
  };
}

/**
 * The attempt of the provider's response; undefined if this browser has none, or no longer. It can be used once: its
 * cookie is deleted.
 */
export async function takeAttempt(
  ctx: Context,
  provider: string,
  state: string | undefined,
  cookies: string | undefined,
): Promise<{ attempt: Attempt | undefined; setCookies: string[] }> {
  const name = prefix + (/^([\w-]{1,40})\.[\w-]+$/.exec(state ?? "")?.[1] ?? "");
  const sealed = readCookie(cookies, name);
  if (state === undefined || sealed === undefined) return { attempt: undefined, setCookies: [] };
  const attempt = await open(ctx, sealed);
  const fits = attempt?.state === state && attempt.provider === provider && attempt.expires >= ctx.now();
  return { attempt: fits ? attempt : undefined, setCookies: [drop(ctx, name)] };
}

async function open(ctx: Context, sealed: string): Promise<Attempt | undefined> {
  try {
    const value = tryParseJson(await ctx.vault.open(sealed));
    // The vault seals other things too; only an attempt says that it is one.
    return isRecord(value) && isRecord(value["attempt"]) ? (value["attempt"] as unknown as Attempt) : undefined;
  } catch {
    return undefined;
  }
}

/** Only names that we make ourselves: they go into headers again. */
function cookieNames(cookies: string | undefined): string[] {
  return Object.keys(parse(cookies ?? "")).filter((name) => /^sso\.[\w-]{1,40}$/.test(name));
}

function setCookie(ctx: Context, name: string, value: string): string {
  return cookieHeader(name, value, {
    expiresAt: ctx.now() + lifetimeSeconds,
    origin: ctx.origin,
    path,
  });
}

function drop(ctx: Context, name: string): string {
  return setCookie(ctx, name, "");
}
