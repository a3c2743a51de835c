import { sql, type SQL } from "drizzle-orm";

/** Keys of vectors: a cell in the high bits, a running number in the low ones. Too large for numbers of JavaScript: SQL alone makes them. */
const runningBits = sql.raw("32");

/** The cell of a space that takes what is new. */
export function openCell(spaceId: SQL | number): SQL {
  return sql`(2 * ${spaceId})`;
}

/** The cell that belongs to a row of `vector_cells`. */
export function cellOf(id: SQL | number): SQL {
  return sql`(2 * ${id} + 1)`;
}

/** A condition: the key lies in this cell. */
export function inCell(key: SQL, cell: SQL): SQL {
  return sql`${key} BETWEEN (${cell} << ${runningBits}) AND ((${cell} + 1) << ${runningBits}) - 1`;
}

/** The first key that is free in this cell. */
export function nextKey(cell: SQL): SQL {
  return sql`coalesce((SELECT max(n.key) + 1 FROM chunk_vectors n WHERE ${inCell(sql.raw("n.key"), cell)}), ${cell} << ${runningBits})`;
}
