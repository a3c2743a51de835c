import type { Client, InStatement } from "@libsql/client";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/web";

/**
 * Drizzle over one libSQL client. A client lives for one request: in workerd, I/O objects of one request hang in another.
 * There are no interactive transactions: a write is one `batch`, and races are decided by conditions inside its SQL.
 */
export type Database = LibSQLDatabase<Record<string, never>>;

/**
 * Drizzle sends batches as deferred transactions. One that reads first and writes later fails at once (`database is locked`)
 * when another has written in between, so a batch that writes takes the write lock at its beginning and waits for it.
 */
export function createDatabase(client: Client): Database {
  const batch: Client["batch"] = (statements, mode) =>
    client.batch(statements, mode ?? (statements.every(reads) ? "read" : "write"));
  const wrapped = new Proxy(client, {
    get(target, name) {
      if (name === "batch") return batch;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return drizzle(wrapped);
}

function reads(statement: InStatement | [string, unknown?]): boolean {
  const sql = typeof statement === "string" ? statement : Array.isArray(statement) ? statement[0] : statement.sql;
  return /^\s*select\b/i.test(sql);
}
