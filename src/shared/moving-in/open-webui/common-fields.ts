import { isObject, secondsOf, textOf } from "../read-values.ts";
import type { Row } from "../row-source.ts";

/** The longest id that the service takes. */
export const maxIdLength = 300;

/** The primary key of the row; undefined for a row that has none which could be sent. */
export function idOf(row: Row, column = "id"): string | undefined {
  const id = textOf(row, column);
  return id === undefined || id.length > maxIdLength ? undefined : id;
}

/** `created_at` and `updated_at` where the row has them. */
export function timesOf(row: Row): Record<string, number> {
  const times = { created_at: secondsOf(row, "created_at"), updated_at: secondsOf(row, "updated_at") };
  return given(times) as Record<string, number>;
}

/** The fields that have a value. */
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** A field of an object, or undefined. */
export function at(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string" && each !== "") : [];
}
