import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { findContractions } from "../../scripts/lint/contractions.ts";
import { readMigrations } from "../../scripts/migrate/read-migrations.ts";

const folder = path.resolve(import.meta.dirname, "../../migrations");

/** Those before were applied nowhere but in tests. */
const last = "0053_foreign-key-indexes";

/** What is taken away, by migration, and since which version nothing uses it any more. */
const allowed: Readonly<Record<string, { what: string[]; unusedSince: string }>> = {};

test("no migration takes away what the version before still uses", () => {
  const found = readMigrations(folder)
    .filter(({ name }) => name > last)
    .map(({ name }) => [name, findContractions(readFileSync(path.join(folder, `${name}.sql`), "utf8"))] as const)
    .filter(([name, contractions]) => contractions.some((what) => !allowed[name]?.what.includes(what)));
  expect(Object.fromEntries(found)).toEqual({});
});

describe("contractions", () => {
  test.each([
    ["DROP TABLE `old`;", ["drops the table old"]],
    ["ALTER TABLE `a` DROP COLUMN `b`;", ["drops the column b"]],
    ["ALTER TABLE `a` RENAME TO `b`;", ["renames a table to b"]],
    ["ALTER TABLE a RENAME COLUMN b TO c;", ["renames the column b"]],
    ["ALTER TABLE `a` ADD `b` text NOT NULL;", ["adds a column that needs a value: b"]],
    ["ALTER TABLE `a` ADD `b` text DEFAULT '' NOT NULL;", []],
    ["ALTER TABLE `a` ADD `b` text;", []],
    ["-- DROP TABLE old\nCREATE TABLE fresh (id TEXT NOT NULL);", []],
    ["DROP INDEX `a_b`; DROP TRIGGER a_c;", []],
    ["DROP TABLE a; CREATE VIRTUAL TABLE a USING fts5(text);", []],
    ["DROP TABLE a; CREATE TABLE a (id TEXT);", ["drops the table a"]],
    ["DROP TABLE `a`; ALTER TABLE `__new_a` RENAME TO `a`;", ["renames a table to a"]],
  ])("in %j", (sql, expected) => {
    expect(findContractions(sql)).toEqual(expected);
  });
});
