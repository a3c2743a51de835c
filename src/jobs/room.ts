import { sql, type SQL } from "drizzle-orm";
import { AppError } from "../errors.ts";
import type { JobKind } from "./tables.ts";

/** Seconds after which some of the jobs will be done. */
const retryAfterSeconds = 60;

/**
 * SQL: whether the person may have one more job of this kind. Reads at most `max` entries of an index.
 * @param max 0 for no limit
 */
export function hasJobRoom(kind: JobKind, userId: string, max: number): SQL {
  if (max === 0) return sql`1`;
  return sql`(SELECT count(*) FROM (SELECT 1 FROM jobs WHERE kind = ${kind} AND user_id = ${userId} LIMIT ${max})) < ${max}`;
}

/** @param what waits, in the plural: "of your files wait to be read" */
export function tooManyJobs(max: number, what: string): AppError {
  return new AppError("too_many_requests", `Too many ${what}, ${max} at most: try again when some of them are done`, {
    retryAfter: retryAfterSeconds,
  });
}
