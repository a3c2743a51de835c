import * as z from "zod";

/** What the source has and the record could not hold, in a few words each. */
export const leftField = z.array(z.string().trim().min(1).max(200)).max(100).default([]);

/** A note about what was left out; none for an empty list. */
export function leftNotes(left: readonly string[]): string[] {
  return left.length === 0 ? [] : [`Left out: ${left.join(", ")}`];
}

/** A text as one line. */
export function lineOf(text: string, max: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, max)
    .trim();
}
