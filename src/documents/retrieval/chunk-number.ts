import { sql, type SQL } from "drizzle-orm";

/**
 * The number of a passage is that of its text (`file_texts.number`) and its position in it, so that an index that knows numbers
 * alone knows whose a passage is. It stays below 2^53 for 2^33 texts.
 */
export const positionBits = 20;

/** How many passages a text can have. */
export const maxPassages = 2 ** positionBits;

/** The number of the text that a passage is of. */
export function textOf(chunk: number): number {
  return Math.floor(chunk / maxPassages);
}

/** The first number that passages of a text can have, in SQL. `text` is a number of a text. */
export function firstNumber(text: SQL): SQL<number> {
  return sql<number>`(${text} << ${sql.raw(String(positionBits))})`;
}
