import { once } from "node:events";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@libsql/client/http";
import { openDataFolder, openSecrets } from "../../scripts/launch/data-folder.ts";
import { planDatabaseProcess } from "../../scripts/launch/database-process.ts";
import { findFreePort } from "../../scripts/launch/ports.ts";
import { applyMigrations } from "../../scripts/migrate/apply-migrations.ts";
import { type Migration, readMigrations } from "../../scripts/migrate/read-migrations.ts";

/** The newest migration, which the databases made here do not have yet. */
export const newest: Migration = readMigrations(path.resolve(import.meta.dirname, "../../migrations")).at(-1)!;

/**
 * Creates a data folder as the version before the newest migration left it.
 * @param sql what happened to it besides
 */
export async function makeOldDatabase(dataDir: string, sql: readonly string[] = []): Promise<void> {
  const folder = openDataFolder(dataDir);
  const { DB_AUTH_TOKEN: authToken } = openSecrets(folder, {});
  const port = await findFreePort();
  const plan = planDatabaseProcess(folder, port);
  const sqld = plan.spawn();
  const early = new AbortController();
  const gone = once(sqld, "exit");
  sqld.once("exit", () => early.abort(new Error(plan.lastWords())));
  await plan.untilReady(early.signal);
  const client = createClient({ url: `http://127.0.0.1:${port}`, authToken });
  try {
    const migrations = readMigrations(path.resolve(import.meta.dirname, "../../migrations"));
    await applyMigrations(client, migrations.slice(0, -1));
    for (const statement of sql) await client.execute(statement);
  } finally {
    client.close();
    sqld.kill("SIGTERM");
    await gone;
  }
  // Otherwise the next one to open it does that, and the file is another one.
  const file = new DatabaseSync(path.join(dataDir, "db/dbs/default/data"));
  file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
}
