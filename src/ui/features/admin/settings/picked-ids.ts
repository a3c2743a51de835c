import type { Setting } from "./settings.ts";

/** The ids in a value: an array, or text with commas. Pure. */
export function readIds(value: Setting["value"] | undefined): string[] {
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return [...new Set(parts.map((part) => part.trim()).filter(Boolean))];
}

/** Ids as the setting holds them. Pure. */
export function writeIds({ type }: Pick<Setting, "type">, ids: readonly string[]): string | string[] {
  return type === "list" ? [...ids] : ids.join(",");
}
