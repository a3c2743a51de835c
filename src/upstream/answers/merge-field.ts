import { isRecord } from "../../lib/json.ts";

/** Fields whose texts arrive in pieces: audio as base64 and its transcript. */
const inPieces = new Set(["data", "transcript"]);

/**
 * Merges a field of a chunk into its earlier value: lists grow, objects are merged, for everything else the last value
 * wins. Null is ignored.
 */
export function mergeField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  const old = target[name];
  if (Array.isArray(value)) {
    if (Array.isArray(old)) old.push(...value);
    else target[name] = [...value];
    return;
  }
  if (!isRecord(value) || !isRecord(old)) {
    target[name] = isRecord(value) ? { ...value } : value;
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    const before = old[key];
    if (inPieces.has(key) && typeof before === "string" && typeof part === "string") old[key] = before + part;
    else if (Array.isArray(before) && Array.isArray(part)) old[key] = [...before, ...part];
    else old[key] = part;
  }
}
