import type { CardPart } from "../../cards/schema.ts";
import type { JsonRecord } from "./sender-post.ts";

/** Reading JSON from outside: each gives undefined, or nothing, for what is not there or is of another type. */

/** Entries of a list that are looked at; cards show fewer. */
const maxEntries = 200;

export function recordOf(value: unknown): JsonRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function recordsOf(value: unknown): JsonRecord[] {
  if (!Array.isArray(value)) return [];
  const records = value.slice(0, maxEntries).map((each: unknown) => recordOf(each));
  return records.filter((each) => each !== undefined);
}

/** A value below other values: `valueAt(body, "head", "ref")`. */
export function valueAt(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((within, name) => {
    const record = recordOf(within);
    return record && Object.hasOwn(record, name) ? record[name] : undefined;
  }, value);
}

export function recordAt(value: unknown, ...names: string[]): JsonRecord | undefined {
  return recordOf(valueAt(value, ...names));
}

/** Text that is not blank; numbers and yes or no count as text. */
export function textAt(value: unknown, ...names: string[]): string | undefined {
  const found = valueAt(value, ...names);
  if (typeof found === "string") return found.trim() === "" ? undefined : found;
  return typeof found === "number" || typeof found === "boolean" ? String(found) : undefined;
}

export function numberAt(value: unknown, ...names: string[]): number | undefined {
  const found = valueAt(value, ...names);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** Epoch milliseconds of a time in text (ISO 8601); undefined for the year 1, which Go writes for none. */
export function timeAt(value: unknown, ...names: string[]): number | undefined {
  const text = textAt(value, ...names);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) || time < 0 ? undefined : time;
}

/** A part of a card with nothing in it but this. */
export function partOf(part: Partial<CardPart>): CardPart {
  return { fields: [], lists: [], links: [], ...part };
}
