import type { Context } from "../../context.ts";
import { cookieHeader, readCookie } from "../../http/cookies.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";

/** Sent with the way to the identity provider and back, and nowhere else. */
const name = "invitation";
const path = "/oauth";
/** As long as somebody may stay at the provider. */
const lifetimeSeconds = 600;

/** The `Set-Cookie` value with which the sign-in through a provider that comes next uses the invitation. */
export async function keepInvitation(ctx: Context, token: string): Promise<string> {
  const sealed = await ctx.vault.seal(JSON.stringify({ invitation: token }));
  return cookieHeader(name, sealed, { expiresAt: ctx.now() + lifetimeSeconds, origin: ctx.origin, path });
}

/** @param cookies the request's `Cookie` header. @returns the token of a link; undefined if there is none */
export async function keptInvitation(ctx: Context, cookies: string | undefined): Promise<string | undefined> {
  const sealed = readCookie(cookies, name);
  if (sealed === undefined) return undefined;
  try {
    const value = tryParseJson(await ctx.vault.open(sealed));
    // The vault seals other things too; only an invitation says that it is one.
    return isRecord(value) && typeof value["invitation"] === "string" ? value["invitation"] : undefined;
  } catch {
    return undefined;
  }
}

export function dropInvitation(ctx: Context): string {
  return cookieHeader(name, "", { expiresAt: null, origin: ctx.origin, path });
}
