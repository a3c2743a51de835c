import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@libsql/client/http";
import { applyMigrations } from "../../scripts/migrate/apply-migrations.ts";
import { type Migration, readMigrations } from "../../scripts/migrate/read-migrations.ts";
import { startSqld } from "../start-sqld.ts";

/** The newest migration, which the databases made here do not have yet. */
export const newest: Migration = readMigrations(path.resolve(import.meta.dirname, "../../migrations")).at(-1)!;

/**
 * Creates a data folder as the version before the newest migration left it.
 * @param sql what happened to it besides
 */
export async function makeOldDatabase(dataDir: string, sql: readonly string[] = []): Promise<void> {
  const { url, token, stop } = await startSqld(dataDir);
  const client = createClient({ url, authToken: token });
  try {
    const migrations = readMigrations(path.resolve(import.meta.dirname, "../../migrations"));
    await applyMigrations(client, migrations.slice(0, -1));
    for (const statement of sql) await client.execute(statement);
  } finally {
    client.close();
    await stop();
  }
  // Otherwise the next one to open it does that, and the file is another one.
  const file = new DatabaseSync(path.join(dataDir, "db/dbs/default/data"));
  file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
}
