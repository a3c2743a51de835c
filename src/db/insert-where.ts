import { getTableColumns, is, sql, SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

type Insertable<T extends SQLiteTable> = { [K in keyof T["$inferInsert"]]: T["$inferInsert"][K] | SQL };

/**
 * Inserts one row only if the condition holds at that moment (`INSERT ... SELECT ... WHERE`): a batch uses it to decide
 * races inside the database. Values may be SQL.
 */
export function insertWhere<T extends SQLiteTable>(db: Database, table: T, values: Insertable<T>, condition: SQL) {
  const given = values as Record<string, unknown>;
  const cells = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const value = given[key] ?? column.default ?? null;
    return is(value, SQL) ? value : sql`${sql.param(value, column)}`;
  });
  return db.insert(table).select(sql`SELECT ${sql.join(cells, sql`, `)} WHERE ${condition}`);
}
