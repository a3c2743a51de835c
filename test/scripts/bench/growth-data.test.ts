import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillDatabase, type GrowthSize, messagesOfChat, personId, sizeAt } from "../../../scripts/bench/growth/data.ts";
import { commonPair, commonWord } from "../../../scripts/bench/growth/text.ts";
import { readMigrations } from "../../../scripts/migrate/read-migrations.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-test-"));
const [small, larger] = [sizeAt(0.003, 50), sizeAt(0.006, 50)];
let databases: DatabaseSync[];

beforeAll(() => {
  databases = [small, larger].map((size) => make(size));
});
afterAll(() => {
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true, force: true });
});

function make(size: GrowthSize): DatabaseSync {
  const file = path.join(folder, `${size.people}.db`);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  for (const { statements } of readMigrations(path.resolve(import.meta.dirname, "../../../migrations")))
    for (const statement of statements) database.exec(statement);
  const before = schemaOf(database);
  database.close();
  fillDatabase(file, size);
  const filled = new DatabaseSync(file);
  // Indexes and triggers are back.
  expect(schemaOf(filled)).toEqual(before);
  return filled;
}

const schemaOf = (database: DatabaseSync) =>
  database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();

const count = (database: DatabaseSync, from: string, ...values: string[]) =>
  (database.prepare(`SELECT count(*) AS count FROM ${from}`).get(...values) as { count: number }).count;

test("the data is as large as it was asked for, and sound", () => {
  const [database] = databases as [DatabaseSync];
  expect(count(database, "users")).toBe(small.people);
  expect(count(database, "messages")).toBe((small.chats + small.chatsOfOne) * messagesOfChat);
  expect(count(database, "channel_messages")).toBe(small.channelMessages);
  expect(count(database, "usage_records")).toBe(small.ledgerRows);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  for (const index of ["chat_search", "message_search"])
    database.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
  expect(count(database, "message_search WHERE message_search MATCH ?", commonWord)).toBeGreaterThan(100);
  expect(count(database, "chunk_search WHERE chunk_search MATCH ?", commonWord)).toBeGreaterThan(100);
  expect(count(database, "channel_search WHERE channel_search MATCH ?", commonWord)).toBeGreaterThan(100);
  for (const index of ["chat_pairs", "message_pairs", "channel_pairs"])
    expect(count(database, `${index} WHERE ${index} MATCH ?`, commonPair)).toBeGreaterThan(0);
});

test.each(["chats", "messages", "usage_records", "memories", "feedback"])(
  "with more people, one has as many %s",
  (table) => {
    const [few, more] = databases.map((database) => count(database, `${table} WHERE user_id = ?`, personId("member")));
    expect(few).toBeGreaterThan(0);
    expect(more).toBe(few);
  },
);
