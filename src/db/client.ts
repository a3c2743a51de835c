import type { Client, InStatement } from "@libsql/client";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/web";
import { isBusy } from "./database-error.ts";
import { isReadOnly } from "./is-read-only.ts";
import { createRowMapper } from "./map-rows.ts";
import { withMethods } from "./with-methods.ts";

/**
 * Drizzle over one libSQL client. A client lives for one request, because in workerd I/O objects cannot be shared
 * between requests. There are no interactive transactions: a write is one `batch`, and races are decided by conditions
 * in its SQL.
 */
export type Database = LibSQLDatabase<Record<string, never>>;

/**
 * Drizzle sends batches as deferred transactions. One that reads first and writes later fails immediately (`database is
 * locked`) if another has written in between, so a writing batch takes the write lock at its beginning and waits for
 * it.
 */
export function createDatabase(client: Client): Database {
  const batch: Client["batch"] = (statements, mode) =>
    patiently(() => client.batch(statements, mode ?? (statements.every(reads) ? "read" : "write")));
  const execute: Client["execute"] = (statement: InStatement) => patiently(() => client.execute(statement));
  return mapRowsOnce(drizzle(withMethods(() => client, { execute, batch })));
}

interface Prepared {
  joinsNotNullableMap?: Record<string, boolean>;
  mapAllResult(rows: unknown, isFromBatch?: boolean): unknown;
}

/** What drizzle's session (`libsql/session.js`) has of use here; its types leave it out. */
interface Session {
  prepareQuery(query: unknown, fields: Parameters<typeof createRowMapper>[0] | undefined, ...more: unknown[]): Prepared;
}

/** See `createRowMapper`. Only for lists: one row costs about the same either way. */
function mapRowsOnce(db: Database): Database {
  const { session } = db as unknown as { session: Session };
  const prepare = session.prepareQuery.bind(session);
  session.prepareQuery = (query, fields, executeMethod, isArray, customMapper, ...more) => {
    const prepared = prepare(query, fields, executeMethod, isArray, customMapper, ...more);
    if (fields && !customMapper)
      prepared.mapAllResult = (found, isFromBatch) => {
        const rows = (isFromBatch ? (found as { rows: unknown }).rows : found) as ArrayLike<unknown>[];
        return rows.map(createRowMapper(fields, prepared.joinsNotNullableMap));
      };
    return prepared;
  };
  return db;
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
  return isReadOnly(sql);
}
