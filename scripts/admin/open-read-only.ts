import { existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../launch/start-error.ts";

/** Where sqld keeps its database. */
const fileOf = (dataDir: string) => path.join(dataDir, "db/dbs/default/data");

/**
 * Rows of a query, one at a time. SQLite opens the file read-only, also beside a running sqld.
 * @throws StartError for a query that is wrong, or writes
 */
export function* openReadOnly(dataDir: string, query: string): Generator<Record<string, unknown>> {
  const file = fileOf(dataDir);
  if (!existsSync(file)) throw new StartError(`There is no database in ${dataDir}.`, "noInput");
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    for (const row of database.prepare(query).iterate()) {
      yield Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? `${value.length} bytes` : value,
        ]),
      );
    }
  } catch (error) {
    throw new StartError(`The database says: ${(error as Error).message}.`, "data");
  } finally {
    database.close();
  }
}
