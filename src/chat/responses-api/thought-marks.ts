import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";

/** What ours begin with; those of other providers mean nothing here. */
const prefix = "thoughts.v1.";

/**
 * A provider's whole thoughts with its marks on them, as one text that clients carry along in `encrypted_content` without looking into
 * it: such a provider wants them back with the results of the tools that it called.
 */
export function sealThoughts(blocks: readonly Record<string, unknown>[]): string {
  return prefix + toBase64(new TextEncoder().encode(JSON.stringify(blocks)));
}

/** Undefined for what is none of ours. */
export function openThoughts(text: unknown): Record<string, unknown>[] | undefined {
  if (typeof text !== "string" || !text.startsWith(prefix)) return undefined;
  try {
    const value = tryParseJson(new TextDecoder().decode(fromBase64(text.slice(prefix.length))));
    return Array.isArray(value) ? value.filter(isRecord) : undefined;
  } catch {
    return undefined;
  }
}
