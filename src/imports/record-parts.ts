import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { cleanText } from "../lib/clean-text.ts";
import { cutText } from "../lib/cut-text.ts";
import { sourceId } from "./schema.ts";

/** Shapes that records of several kinds have. */

/** What the sender has changed or left out: sentences for the report. */
export const givenNotes = z.array(z.string().max(500)).max(100).default([]);

/** A time, in the unit of its kind. */
export const optionalTime = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish();

export const optionalId = sourceId.nullish();

/** What clients keep with something. */
export const kept = z.record(z.string(), z.unknown()).nullish();

/** Why something is left out whose owner wasn't imported. */
export const noOwner = { leftOut: "Its owner wasn't imported" };

/** SQL: the organization of a person. */
export function homeOf(personId: string): SQL {
  return sql`(SELECT u.organization_id FROM users u WHERE u.id = ${personId})`;
}

const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** A text as a name: one line, not empty, not too long. */
export function nameFrom(text: string, { max, otherwise }: { max: number; otherwise: string }): string {
  const name = cutText(cleanText(text).replaceAll("\uFFFD", "").replaceAll(unprintable, " ").trim(), max).trim();
  return name === "" ? otherwise : name;
}

/** The name, or the first of `name (2)`, `name (3)` and so on that is free. */
export function freeName(name: string, max: number, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` (${number})`;
    const tried = cutText(name, max - ending.length).trimEnd() + ending;
    if (!isTaken(tried)) return tried;
  }
}

/**
 * SELECT of the ids that a record cannot keep: those that the table has, and those that cannot stand in addresses.
 * @param table its name
 */
export function takenIn(table: string) {
  return (ids: SQL): SQL => sql`SELECT id FROM ${sql.identifier(table)} WHERE id IN ${ids}
    UNION SELECT value AS id FROM ${ids} WHERE length(value) > 100 OR value GLOB '*[^-A-Za-z0-9_]*'`;
}
