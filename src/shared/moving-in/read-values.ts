import type { Row } from "./row-source.ts";

/** Text, or undefined for anything else and for "". */
export function textOf(row: Row, column: string): string | undefined {
  const value = row[column];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A column that holds JSON; undefined where it holds none, or none that can be read. */
export function jsonOf(row: Row, column: string): unknown {
  const value = row[column];
  if (typeof value !== "string") return value ?? undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** JSON that is an object. */
export function objectOf(row: Row, column: string): Record<string, unknown> | undefined {
  const value = jsonOf(row, column);
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** SQLite has 0 and 1. */
export function flagOf(row: Row, column: string): boolean {
  const value = row[column];
  return value === true || value === 1 || value === 1n;
}

/** A time in epoch seconds, whatever unit the column has (seconds, milliseconds, microseconds or nanoseconds). */
export function secondsOf(row: Row, column: string): number | undefined {
  const given = row[column];
  const value = typeof given === "object" ? Number.NaN : Number(given ?? Number.NaN);
  if (!Number.isFinite(value) || value <= 0) return undefined;
  const units = [1, 1e3, 1e6, 1e9];
  // No time before the year 5000 is as large as this in its unit.
  const unit = units.find((each) => value / each < 1e11);
  return unit === undefined ? undefined : Math.floor(value / unit);
}

/** The same in epoch milliseconds. */
export function millisecondsOf(row: Row, column: string): number | undefined {
  const seconds = secondsOf(row, column);
  if (seconds === undefined) return undefined;
  const value = Number(row[column]);
  const unit = [1, 1e3, 1e6, 1e9].find((each) => Math.floor(value / each) === seconds) ?? 1;
  return Math.floor(unit === 1 ? value * 1000 : value / (unit / 1000));
}
