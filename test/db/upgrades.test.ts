import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Client, createClient } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyMigrations } from "../../scripts/migrate/apply-migrations.ts";
import { readMigrations } from "../../scripts/migrate/read-migrations.ts";
import { fillTables, listTables, type SyntheticTable } from "./synthetic-rows.ts";

/*
 * Data of earlier schemas arrives whole in the present one: rows are written into all tables as they were then, and the rest is
 * applied. The schemas are those that each capability landed with, and the newest one, which the next migration meets.
 */
const landed = [
  "0002_search",
  "0007_audit-targets",
  "0013_dropped-packages",
  "0019_job-turns",
  "0026_job-deaths",
  "0031_connection-options",
  "0036_prompt-commands-at-home",
  "0043_channel-replies",
  "0047_channel-member-count-triggers",
  "0050_waiting-account-triggers",
  "0053_foreign-key-indexes",
];

/** What a migration made again in another form, by the last one that came before it. */
const replaced: Readonly<Record<string, readonly string[]>> = {
  // The search index: its source, the texts of files, is kept, and documents are read again.
  "0022_marks-in-words": ["chunk_vectors", "embedding_spaces", "file_chunks", "vector_cells", "file_texts"],
  // Nobody had the ledger in its first form.
  "0031_connection-options": ["usage_records", "usage_days"],
};

const folder = mkdtempSync(path.join(tmpdir(), "parley-upgrades-"));
afterAll(() => rmSync(folder, { recursive: true }));

const migrations = readMigrations(path.resolve(import.meta.dirname, "../../migrations"));

const fileAfter = (name: string) => path.join(folder, `${name}.db`);
const open = async (file: string) => {
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  await client.execute("PRAGMA synchronous = OFF");
  return client;
};

const starts = [...new Set([...landed, migrations.at(-1)!.name])];

/** An empty database for each start. */
beforeAll(async () => {
  let before: string | undefined;
  for (const name of starts) {
    const file = fileAfter(name);
    if (before) copyFileSync(fileAfter(before), file);
    const client = await open(file);
    await applyMigrations(
      client,
      migrations.slice(0, migrations.findIndex((migration) => migration.name === name) + 1),
    );
    client.close();
    before = name;
  }
}, 60_000);

type Row = Record<string, unknown>;

async function readAll(client: Client, { name, columns }: SyntheticTable): Promise<Row[]> {
  const list = columns.map((column) => `"${column.name}"`).join(", ");
  const { rows } = await client.execute(`SELECT ${list} FROM "${name}" ORDER BY ${list}`);
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column.name, plain(row[column.name])])));
}

const plain = (value: unknown) => (value instanceof ArrayBuffer ? Buffer.from(value).toString("hex") : value);

async function upgrade(from: string): Promise<string[]> {
  const file = path.join(folder, "upgraded.db");
  const isReplaced = (table: string) =>
    Object.entries(replaced).some(([last, tables]) => from <= last && tables.includes(table));
  copyFileSync(fileAfter(from), file);
  const client = await open(file);
  try {
    const before = await listTables(client);
    await fillTables(client, before);
    const written = new Map<string, Row[]>();
    for (const table of before) written.set(table.name, await readAll(client, table));
    await applyMigrations(client, migrations);
    const after = await listTables(client);
    const lost: string[] = [];
    for (const table of before) {
      const now = after.find(({ name }) => name === table.name);
      if (isReplaced(table.name)) continue;
      if (!now) {
        lost.push(`${table.name}: gone`);
        continue;
      }
      const columns = table.columns.filter(({ name }) => now.columns.some((column) => column.name === name));
      const shown = (row: Row) => JSON.stringify(columns.map(({ name }) => row[name]));
      const found = new Set((await readAll(client, { name: table.name, columns })).map(shown));
      const missing = written.get(table.name)!.filter((row) => !found.has(shown(row)));
      if (missing.length > 0) lost.push(`${table.name}: ${shown(missing[0]!)}`);
    }
    const { rows: broken } = await client.execute("PRAGMA foreign_key_check");
    const { rows: integrity } = await client.execute("PRAGMA integrity_check");
    return [
      ...lost,
      ...broken.map((row) => `${String(row["table"])} points to nothing in ${String(row["parent"])}`),
      ...integrity.map((row) => String(row["integrity_check"])).filter((said) => said !== "ok"),
    ];
  } finally {
    client.close();
    rmSync(file, { force: true });
  }
}

describe("data of before", () => {
  test.each(starts)("%s arrives whole", async (name) => {
    expect(await upgrade(name)).toEqual([]);
  });
});
