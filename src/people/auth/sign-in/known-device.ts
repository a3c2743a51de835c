import type { Context } from "../../../context.ts";
import { cookieHeader, readCookie } from "../../../http/cookies.ts";
import { newId } from "../../../lib/id.ts";
import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { sha256Hex } from "../../../lib/sha256.ts";

const cookieName = "device";
const lifetimeSeconds = 365 * 86_400;
/** People who share one browser; the one who has not signed in for longest makes room. */
const maxPeople = 5;

/** A browser in which somebody has signed in before. `people` are hashes of their addresses, the latest first. */
export interface KnownDevice {
  id: string;
  people: string[];
}

/** The device that the request's cookie proves, sealed by this service; undefined for none, or a forged one. */
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

/**
 * Where wrong passwords for the address are counted. A device that its owner has signed in with before has a bucket of its
 * own there, which strangers cannot use up. The address stands in it as a hash: what people mistype is not stored.
 */
export async function bucketOf(address: string, device: KnownDevice | undefined): Promise<string> {
  const hash = await sha256Hex(address);
  return device?.people.includes(hash) ? `${hash}:${device.id}` : hash;
}

/** The `Set-Cookie` value after which the device is known for this person too. */
export async function rememberDevice(ctx: Context, address: string, device: KnownDevice | undefined): Promise<string> {
  const hash = await sha256Hex(address);
  const people = [hash, ...(device?.people ?? []).filter((other) => other !== hash)].slice(0, maxPeople);
  const sealed = await ctx.vault.seal(JSON.stringify({ device: device?.id ?? newId(), people }));
  return cookieHeader(cookieName, sealed, {
    expiresAt: ctx.now() + lifetimeSeconds,
    secure: ctx.origin.startsWith("https:"),
    path: "/api/v1/auths",
  });
}
