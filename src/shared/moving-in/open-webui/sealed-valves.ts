import { isObject, jsonOf } from "../read-values.ts";
import type { Row } from "../row-source.ts";

/** What was set of a plugin, in the clear; undefined where it is sealed and cannot be opened. */
export async function valvesOf(row: Row, secret: string | undefined): Promise<Record<string, unknown> | undefined> {
  // Sealed ones are a text, in JSON or bare.
  return openValves(jsonOf(row, "valves") ?? row["valves"], secret);
}

export async function openValves(
  value: unknown,
  secret: string | undefined,
): Promise<Record<string, unknown> | undefined> {
  if (isObject(value)) return value;
  if (typeof value !== "string" || value === "") return {};
  const opened = secret === undefined ? undefined : await openFernet(value, secret);
  return isObject(opened) ? opened : undefined;
}

/**
 * Opens a token as https://github.com/fernet/spec has it: version, time, initial vector, AES-128-CBC and HMAC-SHA256. The key is the
 * secret itself where it has the length of one, otherwise its SHA-256.
 */
async function openFernet(token: string, secret: string): Promise<unknown> {
  try {
    const bytes = fromUrlBase64(token);
    const key =
      secret.length === 44
        ? fromUrlBase64(secret)
        : new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
    const signed = bytes.subarray(0, -32);
    const signing = await crypto.subtle.importKey("raw", key.slice(0, 16), { name: "HMAC", hash: "SHA-256" }, false, [
      "verify",
    ]);
    if (bytes[0] !== 0x80 || !(await crypto.subtle.verify("HMAC", signing, bytes.slice(-32), signed))) return undefined;
    const opening = await crypto.subtle.importKey("raw", key.slice(16, 32), "AES-CBC", false, ["decrypt"]);
    const plain = await crypto.subtle.decrypt({ name: "AES-CBC", iv: signed.slice(9, 25) }, opening, signed.slice(25));
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  } catch {
    return undefined;
  }
}

function fromUrlBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.codePointAt(0)!);
}
