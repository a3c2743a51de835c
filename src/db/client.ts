import type { Client } from "@libsql/client";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/web";

/**
 * Drizzle over one libSQL client. A client lives for one request: in workerd, I/O objects of one request hang in another.
 * There are no interactive transactions: a write is one `batch`, and races are decided by conditions inside its SQL.
 */
export type Database = LibSQLDatabase;

export function createDatabase(client: Client): Database {
  return drizzle(client);
}
