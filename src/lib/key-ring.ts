import { fromBase64 } from "./base64.ts";
import { isRecord, tryParseJson } from "./json.ts";

/**
 * The service's secret keys by name, one of them current; old ones can still decrypt. Format:
 * `{"current":"k1","keys":{"k1":"<32 bytes in base64>"}}`.
 */
export interface KeyRing {
  current: string;
  has(name: string): boolean;
  /** A key for one purpose, derived from the named one (HKDF-SHA256), as a WebCrypto key. */
  key(purpose: "tokens" | "vault" | "fingerprints", name: string): Promise<CryptoKey>;
}

const shapes = {
  tokens: { algorithm: { name: "HMAC", hash: "SHA-256", length: 256 }, usages: ["sign", "verify"] },
  fingerprints: { algorithm: { name: "HMAC", hash: "SHA-256", length: 256 }, usages: ["sign"] },
  vault: { algorithm: { name: "AES-GCM", length: 256 }, usages: ["encrypt", "decrypt"] },
} as const;

/** @throws Error with what is wrong and the expected format; never shows a key. */
export function parseKeyRing(text: string): KeyRing {
  const keys = new Map<string, Uint8Array<ArrayBuffer>>();
  const value = tryParseJson(text);
  if (!isRecord(value)) throw wrong("it is not a JSON object");
  if (!isRecord(value.keys)) throw wrong("it has no keys");
  for (const [name, encoded] of Object.entries(value.keys)) {
    // Sealed texts name their key between dots.
    if (!/^[\w-]+$/.test(name)) throw wrong("names of keys have letters, digits, - and _ only");
    const bytes = typeof encoded === "string" ? decode(encoded) : undefined;
    if (!bytes) throw wrong(`the key ${name} is not base64`);
    if (bytes.length !== keyBytes) throw wrong(`the key ${name} has ${bytes.length} bytes instead of ${keyBytes}`);
    keys.set(name, bytes);
  }
  const { current } = value;
  if (typeof current !== "string" || !keys.has(current)) throw wrong("current is not the name of one of its keys");
  const derived = new Map<string, Promise<CryptoKey>>();
  return {
    current,
    has: (name) => keys.has(name),
    key(purpose, name) {
      const bytes = keys.get(name);
      if (!bytes) return Promise.reject(new Error("no such key"));
      const id = `${purpose}/${name}`;
      let key = derived.get(id);
      if (!key) derived.set(id, (key = derive(purpose, bytes)));
      return key;
    },
  };
}

const keyBytes = 32;

function wrong(reason: string): Error {
  const expected = '{"current":"k1","keys":{"k1":"<32 random bytes in base64>"}}';
  return new Error(`PARLEY_SECRET_KEYS is not a key ring (${reason}), expected ${expected}`);
}

function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}

async function derive(purpose: keyof typeof shapes, bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const { algorithm, usages } = shapes[purpose];
  const info = new TextEncoder().encode(`parley ${purpose}`);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    base,
    algorithm,
    false,
    [...usages],
  );
}
