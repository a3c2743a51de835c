import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient, type Client } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyMigrations } from "../../scripts/migrate/apply-migrations.ts";
import { readMigrations, type Migration } from "../../scripts/migrate/read-migrations.ts";

let folder: string;
let client: Client;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-migrations-test-"));
  client = open();
});
afterEach(() => {
  client.close();
  rmSync(folder, { recursive: true });
});

const open = () => createClient({ url: `file:${path.join(folder, "test.db")}` });
const migration = (name: string, ...statements: string[]): Migration => ({
  name,
  checksum: `sum of ${name}`,
  statements,
});
const tables = async () => {
  const { rows } = await client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'schema_%' ORDER BY name",
  );
  return rows.map((row) => row["name"]);
};

const first = migration("0000_first", "CREATE TABLE a (id TEXT)", "CREATE TABLE b (id TEXT)");
const second = migration("0001_second", "ALTER TABLE a ADD COLUMN name TEXT", "CREATE TABLE c (id TEXT)");

describe("migrations", () => {
  test("are applied once, in order, and noted with their checksum", async () => {
    expect(await applyMigrations(client, [first, second])).toEqual(["0000_first", "0001_second"]);
    expect(await applyMigrations(client, [first, second])).toEqual([]);
    expect(await tables()).toEqual(["a", "b", "c"]);
    const { rows } = await client.execute("SELECT name, checksum, applied_at FROM schema_migrations ORDER BY name");
    expect(rows.map((row) => [row["name"], row["checksum"]])).toEqual([
      ["0000_first", "sum of 0000_first"],
      ["0001_second", "sum of 0001_second"],
    ]);
    expect(Math.abs(Number(rows[0]?.["applied_at"]) - Date.now() / 1000)).toBeLessThan(10);
  });

  test("that came later are applied to a database that has the earlier ones", async () => {
    await applyMigrations(client, [first]);
    expect(await applyMigrations(client, [first, second])).toEqual(["0001_second"]);
  });

  test("that fail leave nothing of themselves, keep what came before, and can be repeated", async () => {
    const broken = migration("0001_second", "CREATE TABLE c (id TEXT)", "INSERT INTO nowhere VALUES (1)");
    await expect(applyMigrations(client, [first, broken])).rejects.toThrow(
      /0001_second failed and was rolled back: .*nowhere/,
    );
    expect(await tables()).toEqual(["a", "b"]);
    expect(await applyMigrations(client, [first, second])).toEqual(["0001_second"]);
  });

  test("are done once when several starts come at the same time", async () => {
    const clients = [open(), open(), open()];
    try {
      const applied = await Promise.all(clients.map((each) => applyMigrations(each, [first, second])));
      expect(applied.flat().toSorted()).toEqual(["0000_first", "0001_second"]);
    } finally {
      for (const each of clients) each.close();
    }
  });

  test("may rebuild a table that others refer to", async () => {
    const related = migration(
      "0000_first",
      "CREATE TABLE parent (id TEXT PRIMARY KEY)",
      "CREATE TABLE child (id TEXT, parent TEXT REFERENCES parent (id) ON DELETE CASCADE)",
      "INSERT INTO parent VALUES ('p')",
      "INSERT INTO child VALUES ('c', 'p')",
    );
    const rebuilt = migration(
      "0001_second",
      "CREATE TABLE fresh (id TEXT PRIMARY KEY, name TEXT)",
      "INSERT INTO fresh SELECT id, NULL FROM parent",
      "DROP TABLE parent",
      "ALTER TABLE fresh RENAME TO parent",
    );
    await applyMigrations(client, [related, rebuilt]);
    expect((await client.execute("SELECT id FROM child")).rows).toHaveLength(1);
  });

  test("refuse a database of a newer version and change nothing", async () => {
    await applyMigrations(client, [first, second]);
    await expect(applyMigrations(client, [first])).rejects.toThrow(/newer version of Parley.*0001_second/);
  });

  test("refuse a migration that was changed after it was applied", async () => {
    await applyMigrations(client, [first]);
    await expect(applyMigrations(client, [{ ...first, checksum: "other" }, second])).rejects.toThrow(
      /0000_first was changed/,
    );
    expect(await tables()).toEqual(["a", "b"]);
  });

  test("refuse one that was put in between", async () => {
    await applyMigrations(client, [first, migration("0002_third", "CREATE TABLE d (id TEXT)")]);
    await expect(applyMigrations(client, [first, second, migration("0002_third")])).rejects.toThrow(
      /0001_second comes before/,
    );
  });

  test("of a start that was killed do not hold up the only user of the database", async () => {
    await applyMigrations(client, [first]);
    await client.execute("INSERT INTO schema_lock VALUES (1, 'killed', unixepoch() + 60)");
    expect(await applyMigrations(client, [first, second], { exclusive: true })).toEqual(["0001_second"]);
    expect((await client.execute("SELECT * FROM schema_lock")).rows).toEqual([]);
  });

  test("take over a lock that has run out", async () => {
    await applyMigrations(client, [first]);
    await client.execute("INSERT INTO schema_lock VALUES (1, 'dead', unixepoch() - 1)");
    expect(await applyMigrations(client, [first, second])).toEqual(["0001_second"]);
  });
});

describe("migration files", () => {
  test("are read in the order of the journal, without statements that say nothing", () => {
    mkdirSync(path.join(folder, "meta"));
    const entries = [
      { idx: 1, tag: "0001_b" },
      { idx: 0, tag: "0000_a" },
    ];
    writeFileSync(path.join(folder, "meta/_journal.json"), JSON.stringify({ entries }));
    writeFileSync(path.join(folder, "0000_a.sql"), "-- why\nSELECT 1;\n--> statement-breakpoint\n-- nothing more\n");
    writeFileSync(path.join(folder, "0001_b.sql"), "CREATE TRIGGER t BEGIN SELECT 1; SELECT 2; END;\n");
    expect(readMigrations(folder)).toEqual([
      { name: "0000_a", checksum: expect.stringMatching(/^[0-9a-f]{64}$/), statements: ["-- why\nSELECT 1;"] },
      { name: "0001_b", checksum: expect.any(String), statements: ["CREATE TRIGGER t BEGIN SELECT 1; SELECT 2; END;"] },
    ]);
  });
});

describe("the migrations of this project", () => {
  test("make a new database, and read in the order of their numbers", async () => {
    const migrations = readMigrations("migrations");
    expect(migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name).toSorted());
    expect(await applyMigrations(client, migrations)).toHaveLength(migrations.length);
    expect(await tables()).toContain("users");
  });
});
