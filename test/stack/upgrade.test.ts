import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startParley } from "./start-parley.ts";

const root = path.resolve(import.meta.dirname, "../..");
const dataDir = mkdtempSync(path.join(tmpdir(), "parley-upgrade-"));
const databaseFile = path.join(dataDir, "db/dbs/default/data");
afterAll(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

const upgrade = () =>
  promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/upgrade.ts"], {
    cwd: root,
    env: { ...process.env, PARLEY_STOP_WITH_PARENT: "1", DATA: dataDir },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );

/** Every file that is kept, with its content. */
const state = () =>
  ["db/dbs/default/data", "secrets.json"].map((name) => [
    name,
    createHash("sha256")
      .update(readFileSync(path.join(dataDir, name)))
      .digest("hex"),
  ]);

function change(sql: string): void {
  const database = new DatabaseSync(databaseFile);
  database.exec(sql);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** As it was before a migration that only makes indexes. */
const beforeIndexes = `
  DELETE FROM schema_migrations WHERE name = '0053_foreign-key-indexes';
`;

const sql = readFileSync(path.join(root, "migrations/0053_foreign-key-indexes.sql"), "utf8");
const dropIndexes = [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX `(\w+)`/g)]
  .map(([, name]) => `DROP INDEX ${name};`)
  .join("");

test("a service that runs is not upgraded", async () => {
  const parley = await startParley({ dataDir });
  expect(await upgrade()).toMatchObject({ code: 75, said: expect.stringContaining("is in use by") as string });
  await parley.stop();
}, 100_000);

test("a migration that fails leaves everything as it was", async () => {
  // Its indexes are there already, so it cannot make them.
  change(beforeIndexes);
  const before = state();
  const failed = await upgrade();
  expect(failed.said).toContain("The migration 0053_foreign-key-indexes failed");
  expect(failed.said).toContain("is as it was before");
  expect(failed.code).toBe(78);
  expect(state()).toEqual(before);
  expect(readdirSync(dataDir).filter((name) => /^\.(?:upgrade|backup|parley)/.test(name))).toEqual([]);
}, 60_000);

test("an upgrade backs up, tries a copy, and migrates", async () => {
  change(dropIndexes);
  const done = await upgrade();
  expect(done.said).toMatch(/Backed up to [^]*level 3: ok[^]*Database migrated[^]*ready for this version/);
  expect(done.code).toBe(0);
  expect(readdirSync(path.join(dataDir, "backups")).length).toBeGreaterThan(0);
  const parley = await startParley({ dataDir });
  await parley.stop();
}, 60_000);

test("a start that migrates keeps the database as it was, the last two times", async () => {
  for (let times = 0; times < 3; times++) {
    change(beforeIndexes + dropIndexes);
    const parley = await startParley({ dataDir });
    await parley.stop();
    const [, file = ""] = /The database before this version is kept in (\S+)\.\n/.exec(parley.output) ?? [];
    expect(statSync(file).size).toBeGreaterThan(100_000);
  }
  // Names have seconds.
  expect(readdirSync(path.join(dataDir, "snapshots")).length).toBe(2);
  change(beforeIndexes + dropIndexes);
  const without = await startParley({ dataDir, env: { SNAPSHOT_BEFORE_MIGRATION: "false" } });
  await without.stop();
  expect(without.output).not.toContain("is kept in");
}, 90_000);
