import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { utf8Text } from "../../lib/utf8.ts";

/** The prefix of Parley's own signatures; other values mean nothing here. */
const prefix = "thoughts.v1.";

/**
 * A provider's complete thoughts with signatures, as one text that clients return in `encrypted_content` without
 * reading it: such a provider needs them back with the results of its tool calls.
 */
export function sealThoughts(blocks: readonly Record<string, unknown>[]): string {
  return prefix + toBase64(new TextEncoder().encode(JSON.stringify(blocks)));
}

/** Undefined for values that Parley did not create. */
export function openThoughts(text: unknown): Record<string, unknown>[] | undefined {
  if (typeof text !== "string" || !text.startsWith(prefix)) return undefined;
  try {
    const value = tryParseJson(utf8Text(fromBase64(text.slice(prefix.length))));
    return Array.isArray(value) ? value.filter(isRecord) : undefined;
  } catch {
    return undefined;
  }
}
