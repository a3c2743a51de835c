import { sql, type SQL } from "drizzle-orm";

/**
 * A passage's number combines that of its text (`file_texts.number`) and its position in it, so that an index of
 * numbers identifies the text. It stays below 2^53 for 2^33 texts.
 */
export const positionBits = 20;

/** Maximum number of passages of a text. */
export const maxPassages = 2 ** positionBits;

/** The first number that passages of a text can have, in SQL. `text` is a number of a text. */
export function firstNumber(text: SQL): SQL<number> {
  return sql<number>`(${text} << ${sql.raw(String(positionBits))})`;
}
