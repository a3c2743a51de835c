import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { makeOldDatabase, newest } from "./old-database.ts";
import { startParley } from "./start-parley.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "parley-upgrade-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

let count = 0;
const newFolder = () => path.join(folder, `data-${(count += 1)}`);

const upgrade = (dataDir: string) =>
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
const state = (dataDir: string) =>
  ["db/dbs/default/data", "secrets.json"].map((name) => [
    name,
    createHash("sha256")
      .update(readFileSync(path.join(dataDir, name)))
      .digest("hex"),
  ]);

test("a service that runs is not upgraded", async () => {
  const dataDir = newFolder();
  const parley = await startParley({ dataDir });
  expect(await upgrade(dataDir)).toMatchObject({ code: 75, said: expect.stringContaining("is in use by") as string });
  await parley.stop();
});

test("a migration that fails leaves everything as it was", async () => {
  const dataDir = newFolder();
  await makeOldDatabase(dataDir, [
    "CREATE TRIGGER refuse BEFORE INSERT ON schema_migrations BEGIN SELECT RAISE(ABORT, 'refused'); END",
  ]);
  const before = state(dataDir);
  const failed = await upgrade(dataDir);
  expect(failed.said).toContain(`The migration ${newest.name} failed`);
  expect(failed.said).toContain("is as it was before");
  expect(failed.code).toBe(78);
  expect(state(dataDir)).toEqual(before);
  expect(readdirSync(dataDir).filter((name) => /^\.(?:upgrade|backup|parley)/.test(name))).toEqual([]);
});

test("an upgrade backs up, tries a copy, and migrates", async () => {
  const dataDir = newFolder();
  await makeOldDatabase(dataDir);
  const done = await upgrade(dataDir);
  expect(done.said).toMatch(/Backed up to [^]*level 3: ok[^]*Database migrated[^]*ready for this version/);
  expect(done.code).toBe(0);
  expect(readdirSync(path.join(dataDir, "backups")).length).toBeGreaterThan(0);
  const parley = await startParley({ dataDir });
  await parley.stop();
  expect(parley.output).not.toContain("is kept in");
});

test("a start that migrates keeps the database as it was, the last two times", async () => {
  const dataDir = newFolder();
  await makeOldDatabase(dataDir);
  const snapshots = path.join(dataDir, "snapshots");
  mkdirSync(snapshots);
  for (const year of [2024, 2025])
    writeFileSync(path.join(snapshots, `${year}-01-01T00-00-00Z-before-0001.sqlite`), "");
  const parley = await startParley({ dataDir });
  await parley.stop();
  const [, file = ""] = /The database before this version is kept in (\S+)\.\n/.exec(parley.output) ?? [];
  expect(statSync(file).size).toBeGreaterThan(100_000);
  expect(readdirSync(snapshots).toSorted()).toEqual(["2025-01-01T00-00-00Z-before-0001.sqlite", path.basename(file)]);
});

test("or does not, where that is said", async () => {
  const dataDir = newFolder();
  await makeOldDatabase(dataDir);
  const parley = await startParley({ dataDir, env: { SNAPSHOT_BEFORE_MIGRATION: "false" } });
  await parley.stop();
  expect(parley.output).not.toContain("is kept in");
});
