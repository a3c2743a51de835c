import { isRecord } from "./live/live-state.ts";

/** The JSON object in a field, which may be empty; undefined for anything else. */
export function readObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
