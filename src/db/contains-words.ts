import { sql, type SQL } from "drizzle-orm";
import { escapeLike } from "./like.ts";

/** Whether each word of a search text occurs in one of the columns; `%` and `_` are escaped. */
export function containsWords(text: string | undefined, columns: readonly SQL[]): SQL {
  const words = (text ?? "").toWellFormed().split(/\s+/u).filter(Boolean).slice(0, 16);
  if (words.length === 0) return sql`TRUE`;
  const each = words.map((word) => {
    const pattern = `%${escapeLike(word)}%`;
    return sql`(${sql.join(
      columns.map((column) => sql`${column} LIKE ${pattern} ESCAPE '\\'`),
      sql` OR `,
    )})`;
  });
  return sql`(${sql.join(each, sql` AND `)})`;
}
