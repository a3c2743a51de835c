import { AppError } from "../errors.ts";
import { tryParseJson } from "../lib/json.ts";

/** The cursor of a keyset page: the sort values of the last row seen. */
export function encodeCursor(values: (string | number)[]): string {
  return btoa(encodeURIComponent(JSON.stringify(values)));
}

/** @throws AppError `bad_request` for an invalid cursor, or one with a different number of values. */
export function decodeCursor(cursor: string, length: number): (string | number)[] {
  let values: unknown;
  try {
    values = tryParseJson(decodeURIComponent(atob(cursor)));
  } catch {
    values = undefined;
  }
  const valid =
    Array.isArray(values) &&
    values.length === length &&
    values.every((value) => (typeof value === "string" ? value.isWellFormed() : Number.isFinite(value)));
  if (!valid) throw invalidCursor();
  return values as (string | number)[];
}

export function invalidCursor(): AppError {
  return new AppError("bad_request", "Invalid cursor", { param: "cursor" });
}
