import { Secret, TOTP } from "otpauth";

/** Seconds that one code is shown. Codes of the step before and after are taken too: clocks differ. */
const periodSeconds = 30;
const window = 1;
/** 160 bits, as RFC 4226 recommends for SHA-1, which is all that apps agree on. */
const secretBytes = 20;

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: periodSeconds });

/** A new secret, in base32. */
export function newTotpSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return new Secret({ buffer: bytes.buffer }).base32;
}

/** What an app reads from the QR code. */
export function totpAddress(secret: string, service: string, email: string): string {
  // A colon would end the name of the service.
  return totpOf(secret, { issuer: service.replaceAll(":", " "), label: email }).toString();
}

/** The code of this moment. @param now epoch seconds */
export function totpCode(secret: string, now: number): string {
  return totpOf(secret).generate({ timestamp: now * 1000 });
}

/**
 * The time step that a code belongs to; undefined for a wrong code.
 * @param now epoch seconds
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now * 1000, window });
  return delta === null ? undefined : Math.floor(now / periodSeconds) + delta;
}
