import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenSource } from "../../../scripts/import/open-source.ts";
import { openPostgres } from "../../../scripts/import/postgres-source.ts";
import { openSqlite } from "../../../scripts/import/sqlite-source.ts";
import { openUploads } from "../../../scripts/import/uploads.ts";
import { jsonOf, secondsOf } from "../../../src/shared/moving-in/read-values.ts";
import type { Row } from "../../../src/shared/moving-in/row-source.ts";
import { servePostgres } from "../../fixtures/postgres/serve-pglite.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sources-"));
const file = path.join(folder, "webui.db");
const schema = `CREATE TABLE "group" (id TEXT PRIMARY KEY, name TEXT, data JSON, created_at BIGINT, is_active BOOLEAN)`;
const rowCount = 1234;
const rows = Array.from({ length: rowCount }, (_, index) => ({
  id: String(index).padStart(5, "0"),
  name: `Group ${index % 7} 'ü' 🦜`,
  data: JSON.stringify({ index }),
}));
/** Nanoseconds, as Open WebUI has them in channels. */
const at = "1768000000123456789";
const insert = (values: (typeof rows)[number], isActive: string) =>
  `INSERT INTO "group" VALUES ('${values.id}', '${values.name.replaceAll("'", "''")}', '${values.data}', ${at}, ${isActive})`;

let postgres: Awaited<ReturnType<typeof servePostgres>>;
/** Keeps the database in use: what it has written is in the log only. */
let writer: DatabaseSync;

beforeAll(async () => {
  writer = new DatabaseSync(file);
  writer.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${schema}`);
  for (const row of rows) writer.exec(insert(row, "1"));
  postgres = await servePostgres();
  await postgres.database.exec(schema);
  await postgres.database.exec(rows.map((row) => insert(row, "true")).join(";"));
});
afterAll(async () => {
  writer.close();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
});

const hashes = () =>
  readdirSync(folder).map((name) => [
    name,
    createHash("sha256")
      .update(readFileSync(path.join(folder, name)))
      .digest("hex"),
  ]);

async function collect(source: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of source) all.push(row);
  return all;
}

describe.each([
  ["SQLite", async () => openSqlite(file)],
  ["Postgres", () => openPostgres(postgres.url)],
] satisfies [string, () => Promise<OpenSource>][])("%s as a source", (_, open) => {
  test("reads all rows in order, while other tables are asked", async () => {
    const source = await open();
    const read: Row[] = [];
    const between: number[] = [];
    for await (const row of source.rows("group")) {
      read.push(row);
      if (read.length % 300 === 60) between.push((await source.rowsOf("group", "id", ["00003", "00001", "x"])).length);
    }
    expect(between).toEqual([2, 2, 2, 2]);
    expect(read.map(({ id, name }) => ({ id, name }))).toEqual(rows.map(({ id, name }) => ({ id, name })));
    const [first] = read;
    expect(jsonOf(first!, "data")).toEqual({ index: 0 });
    expect(secondsOf(first!, "created_at")).toBe(1768000000);
    expect(await source.count("group")).toBe(rowCount);
    expect(await source.columns("group")).toEqual(new Set(["id", "name", "data", "created_at", "is_active"]));
    await source.close();
  });

  test("has nothing in a table that there is not", async () => {
    const source = await open();
    expect(await source.columns("memory")).toEqual(new Set());
    expect(await collect(source.rows("memory"))).toEqual([]);
    expect(await source.rowsOf("memory", "id", ["1"])).toEqual([]);
    expect(await source.count("memory")).toBe(0);
    await source.close();
  });
});

test("a SQLite database in use is read with its log, and not changed", async () => {
  const before = hashes();
  expect(before.map(([name]) => name)).toContain("webui.db-wal");
  const source = openSqlite(file);
  expect(await source.count("group")).toBe(rowCount);
  writer.exec(insert({ id: "later", name: "later", data: "{}" }, "1"));
  expect(await source.count("group")).toBe(rowCount);
  writer.exec(`DELETE FROM "group" WHERE id = 'later'`);
  const changed = hashes();
  await collect(source.rows("group"));
  await source.close();
  expect(hashes()).toEqual(changed);
});

test("Postgres is read in one snapshot that cannot write", async () => {
  const source = await openPostgres(postgres.url);
  expect(await source.count("group")).toBe(rowCount);
  await expect(source.rowsOf("group", "id", ["1"], `id"; DROP TABLE "group"; --`)).rejects.toThrow("does not exist");
  await source.close();
});

test("what is no database is refused in one sentence", () => {
  const other = path.join(folder, "notes.txt");
  writeFileSync(other, "These are only notes, and no database of anything at all.");
  expect(() => openSqlite(other)).toThrow(/notes\.txt is not a SQLite database/);
  rmSync(other);
});

test("a Postgres that is not there is refused with its reason", async () => {
  await expect(openPostgres("postgresql://x:y@127.0.0.1:1/none")).rejects.toThrow(/cannot be read \(.*ECONNREFUSED/);
});

describe("uploads in a folder", () => {
  const uploads = path.join(folder, "uploads");
  beforeAll(() => {
    mkdirSync(uploads);
    writeFileSync(path.join(uploads, "abc_notes.txt"), "hello");
    writeFileSync(path.join(folder, "secret.txt"), "not for you");
    symlinkSync(path.join(folder, "secret.txt"), path.join(uploads, "link.txt"));
    symlinkSync("/etc/passwd", path.join(uploads, "passwd"));
  });

  test.each([
    "/app/backend/data/uploads/abc_notes.txt",
    "abc_notes.txt",
    "s3://bucket/prefix/abc_notes.txt",
    "C:\\data\\abc_notes.txt",
  ])("finds %s by its name", async (given) => {
    const opened = (await openUploads(uploads, {}).open(given))!;
    expect(opened.size).toBe(5);
    expect(await text(opened.body as ReadableStream<Uint8Array>)).toBe("hello");
  });

  test.each(["../secret.txt", "../../etc/passwd", "link.txt", "passwd", "..", ".", "", "missing.txt", "/etc/hostname"])(
    "finds nothing for %s",
    async (given) => {
      expect(await openUploads(uploads, {}).open(given)).toBeUndefined();
    },
  );
});
