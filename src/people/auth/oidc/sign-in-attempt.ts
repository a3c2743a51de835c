import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import type { Context } from "../../../context.ts";
import { cookieHeader } from "../../../http/cookies.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";

/** Seconds in which somebody has to be back from the provider. */
const lifetimeSeconds = 600;
/** Attempts of one browser that are kept; older ones make room, so that nobody can fill it with cookies. */
const maxAttempts = 6;
const prefix = "sso.";
const path = "/oauth";

/** A sign-in that is under way in one tab, bound to one provider. It lives in a sealed cookie of its own. */
export interface Attempt {
  provider: string;
  state: string;
  nonce: string;
  /** Proof of the code (RFC 7636). */
  verifier: string;
  redirectUri: string;
  /** Page of ours to go on to. */
  next: string;
  /** Epoch seconds. */
  expires: number;
}

/**
 * A new attempt, and the cookies that keep it. Each has its own, so that tabs do not break each other's.
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
 * The attempt that the provider's answer belongs to; undefined when this browser has none such, or not any more. It is used
 * up: its cookie goes.
 */
export async function takeAttempt(
  ctx: Context,
  provider: string,
  state: string | undefined,
  cookies: string | undefined,
): Promise<{ attempt: Attempt | undefined; setCookies: string[] }> {
  const name = prefix + (/^([\w-]{1,40})\.[\w-]+$/.exec(state ?? "")?.[1] ?? "");
  const sealed = readAll(cookies).find(([key]) => key === name)?.[1];
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

function readAll(cookies: string | undefined): [string, string][] {
  return (cookies ?? "").split(";").map((part): [string, string] => {
    const at = part.indexOf("=");
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
}

/** Only names that we make ourselves: they go into headers again. */
function cookieNames(cookies: string | undefined): string[] {
  return readAll(cookies)
    .map(([name]) => name)
    .filter((name) => /^sso\.[\w-]{1,40}$/.test(name));
}

function setCookie(ctx: Context, name: string, value: string): string {
  return cookieHeader(name, value, {
    expiresAt: ctx.now() + lifetimeSeconds,
    secure: ctx.origin.startsWith("https:"),
    path,
  });
}

function drop(ctx: Context, name: string): string {
  return setCookie(ctx, name, "");
}
