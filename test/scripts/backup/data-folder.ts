import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";

/** A folder that goes with its test. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A data folder with a database of so many random bytes, one object, and keys. */
export function makeDataFolder(bytes = 20_000, migrations = ["0000_first"]): string {
  const folder = makeFolder();
  const file = path.join(folder, "db/dbs/default/data");
  mkdirSync(path.dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE schema_migrations (name TEXT PRIMARY KEY); CREATE TABLE noise (bytes BLOB)");
  for (const name of migrations) database.prepare("INSERT INTO schema_migrations VALUES (?)").run(name);
  for (let left = bytes; left > 0; left -= 1_000_000)
    database.prepare("INSERT INTO noise VALUES (?)").run(randomBytes(Math.min(left, 1_000_000)));
  database.close();
  const objects = path.join(folder, "state/r2/miniflare-R2BucketObject");
  mkdirSync(objects, { recursive: true });
  const metadata = new DatabaseSync(path.join(objects, "one.sqlite"));
  metadata.exec(`CREATE TABLE _mf_objects (key TEXT PRIMARY KEY, blob_id TEXT, size INTEGER, uploaded INTEGER);
    CREATE TABLE _mf_multipart_parts (blob_id TEXT);
    INSERT INTO _mf_objects VALUES ('files/1', 'one', 6, 0)`);
  metadata.close();
  mkdirSync(path.join(folder, "state/r2/parley/blobs"), { recursive: true });
  writeFileSync(path.join(folder, "state/r2/parley/blobs/one"), "a file");
  writeFileSync(path.join(folder, "state/r2/parley/blobs/unnamed"), "an upload that was broken off");
  writeFileSync(path.join(folder, "secrets.json"), '{"PARLEY_SECRET_KEYS":"a ring"}\n');
  return folder;
}
