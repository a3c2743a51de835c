import { AppError } from "../errors.ts";

/** Longest address that mail can carry (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const maxLength = 254;
/** Octets of the part before the `@` (RFC 5321, section 4.5.3.1.1). */
const maxLocalBytes = 64;

/** Dot-separated atoms (RFC 5322, section 3.2.3), letters of all scripts included (RFC 6531, section 3.3). */
const local = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** Labels of a domain name, each at most 63 characters, not beginning or ending with a hyphen. */
const domain =
  /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?(\.[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?)+$/u;

/**
 * The one form of an address under which it is stored, looked up and compared: trimmed, lower case, NFC. The part before
 * the `@` is folded too: RFC 5321 calls it case sensitive, but no provider in use treats it so, and people do not.
 * Undefined for what is no address. `name@localhost` is one: accounts of machines have it.
 */
export function normalizeEmail(text: string): string | undefined {
  const address = text.trim().toLowerCase().normalize("NFC");
  if (address.length > maxLength) return undefined;
  const at = address.lastIndexOf("@");
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || new TextEncoder().encode(name).length > maxLocalBytes || !local.test(name)) return undefined;
  return host === "localhost" || domain.test(host) ? address : undefined;
}

/** @throws AppError `invalid_email`. */
export function requireEmail(text: string): string {
  const address = normalizeEmail(text);
  if (address === undefined)
    throw new AppError("invalid_email", "Not a valid e-mail address, such as ada@example.org", { param: "email" });
  return address;
}
