import type { Context } from "../../../context.ts";
import { cookieHeader, readCookie } from "../../../http/cookies.ts";
import { newId } from "../../../lib/id.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { sha256Hex } from "../../../lib/sha256.ts";

const cookieName = "device";
const lifetimeSeconds = 365 * 86_400;
/** People who share one browser; the one who has not signed in for longest makes room. */
const maxPeople = 5;

/** A browser in which people have signed in before. `people` are hashes of their addresses, latest first. */
export interface KnownDevice {
  id: string;
  people: string[];
}

/** The device proven by the request's cookie, which this service encrypted; undefined for none or a forged one. */
export async function readDevice(ctx: Context, headers: Headers): Promise<KnownDevice | undefined> {
  const sealed = readCookie(headers.get("cookie"), cookieName);
  if (!sealed) return undefined;
  try {
    const value = tryParseJson(await ctx.vault.open(sealed));
    // The vault seals other things too; only a device says that it is one.
    if (!isRecord(value) || typeof value.device !== "string" || !Array.isArray(value.people)) return undefined;
    return { id: value.device, people: value.people.filter((hash) => typeof hash === "string") };
  } catch {
    return undefined;
  }
}

/** The `Set-Cookie` value that makes the device known for this person. */
export async function rememberDevice(ctx: Context, address: string, device: KnownDevice | undefined): Promise<string> {
  const hash = await sha256Hex(address);
  const people = [hash, ...(device?.people ?? []).filter((other) => other !== hash)].slice(0, maxPeople);
  const sealed = await ctx.vault.seal(JSON.stringify({ device: device?.id ?? newId(), people }));
  return cookieHeader(cookieName, sealed, {
    expiresAt: ctx.now() + lifetimeSeconds,
    origin: ctx.origin,
    path: "/api/v1/auths",
  });
}
