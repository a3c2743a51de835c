import { AppError } from "../errors.ts";
import { tryParseJson } from "../lib/json.ts";

/** Where a keyset page goes on: the sort values of the last row seen. */
export function encodeCursor(values: (string | number)[]): string {
  return btoa(encodeURIComponent(JSON.stringify(values)));
}

/** @throws AppError `bad_request` for a cursor that this service did not make with as many values. */
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
  if (!valid) throw wrongCursor();
  return values as (string | number)[];
}

export function wrongCursor(): AppError {
  return new AppError("bad_request", "Invalid cursor", { param: "cursor" });
}
