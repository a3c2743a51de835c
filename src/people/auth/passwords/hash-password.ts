import { timingSafeEqual } from "node:crypto";
import type { Services } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { fromBase64, toBase64 } from "../../../lib/base64.ts";
import type { PasswordCost } from "../../../ports.ts";
import { isAffordable } from "./cost.ts";
import type { Place } from "./hash-line.ts";
import { isOldHash } from "./old-hash.ts";
import { maxOldHashMs, takeTurn } from "./take-turn.ts";

type Hashing = Pick<Services, "scrypt" | "passwordCost">;
type Checking = Hashing & Pick<Services, "checkOldHash">;

const hashBytes = 32;
const saltBytes = 16;

/**
 * Most bytes of a password. Nothing is cut off below it: scrypt's first step digests the whole password (RFC 7914,
 * section 6), unlike bcrypt, which ignores what stands behind its 72nd byte. It only keeps a request's work bounded.
 */
const maxBytes = 1024;

/** @throws AppError `invalid_password` for one that is empty or longer than 1024 bytes. */
export function requireAcceptablePassword(password: string): void {
  const { length } = prepared(password);
  if (length === 0) throw new AppError("invalid_password", "A password cannot be empty", { param: "password" });
  if (length > maxBytes)
    throw new AppError("invalid_password", `A password can have at most ${maxBytes} bytes; this one has ${length}`, {
      param: "password",
    });
}

/**
 * A new hash with its salt and cost: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, both in base64.
 * @throws AppError `too_many_requests`, `passwords_unavailable`
 */
export async function hashPassword(services: Hashing, password: string, place: Place): Promise<string> {
  const { scrypt, passwordCost: cost } = services;
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const hash = await takeTurn(place, () => scrypt(prepared(password), salt, cost));
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${toBase64(salt)}$${toBase64(hash)}`;
}

/**
 * Whether the password matches the stored hash, and whether that was made otherwise than new ones are. Without a stored hash
 * (no such account, or no password) the same work is done, so that timing reveals nothing.
 * @param decoy another account's hash, checked when there is no stored one, so that both take as long
 * @throws AppError `too_many_requests`, `passwords_unavailable`
 */
export async function verifyPassword(
  { scrypt, checkOldHash, passwordCost: current }: Checking,
  password: string,
  stored: string | null,
  place: Place,
  decoy: string | null = null,
): Promise<{ right: boolean; outdated: boolean }> {
  const checked = stored ?? decoy;
  if (checked !== null && isOldHash(checked)) {
    // As it was typed: the product that made it did not normalize.
    const typed = new TextEncoder().encode(password).slice(0, maxBytes);
    const fits = await takeTurn(place, () => checkOldHash(typed, checked), maxOldHashMs);
    return { right: fits && stored !== null, outdated: true };
  }
  const parsed = stored === null ? undefined : parse(stored);
  const { cost, salt, hash } = parsed ?? {
    cost: current,
    salt: new Uint8Array(saltBytes),
    hash: new Uint8Array(hashBytes),
  };
  const bytes = prepared(password);
  const tooLong = bytes.length > maxBytes;
  const derived = await takeTurn(place, () => scrypt(tooLong ? new Uint8Array() : bytes, salt, cost));
  const same = derived.length === hash.length && timingSafeEqual(derived, hash);
  const outdated = cost.ln !== current.ln || cost.r !== current.r || cost.p !== current.p;
  return { right: same && parsed !== undefined && !tooLong, outdated };
}

/** The same characters typed on different keyboards are the same password (RFC 8265, section 4.2.2: NFC). */
function prepared(password: string): Uint8Array {
  return new TextEncoder().encode(password.normalize("NFC"));
}

/** Whether this is a hash as they are made here, whose check takes no more work than that of others. */
export function isOwnHash(stored: string): boolean {
  const parsed = stored.length <= 300 ? parse(stored) : undefined;
  if (!parsed) return false;
  const { cost, salt, hash } = parsed;
  return isAffordable(cost) && salt.length >= saltBytes && hash.length === hashBytes;
}

function parse(stored: string): { cost: PasswordCost; salt: Uint8Array; hash: Uint8Array } | undefined {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!match) return undefined;
  const [ln, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return { cost: { ln, r, p }, salt: fromBase64(match[4]!), hash: fromBase64(match[5]!) };
}
