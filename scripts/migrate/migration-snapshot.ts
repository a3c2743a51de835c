import { mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { copyDatabase } from "../backup/take-snapshot.ts";

/** So many are kept. */
const maxSnapshots = 2;

/**
 * Copies the database before it is migrated, and says where. The older copies go.
 * @param migration the first one that is applied
 */
export async function takeMigrationSnapshot(dataDir: string, migration: string): Promise<void> {
  const folder = path.join(dataDir, "snapshots");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const file = path.join(folder, `${time}Z-before-${migration}.sqlite`);
  await copyDatabase(path.join(dataDir, "db/dbs/default/data"), file);
  const old = readdirSync(folder).toSorted().slice(0, -maxSnapshots);
  for (const name of old) rmSync(path.join(folder, name), { force: true });
  process.stdout.write(`The database before this version is kept in ${file}.\n`);
}
