import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readMigrations } from "../../scripts/migrate/read-migrations.ts";
import { pairText, searchWords } from "../../src/db/search-words.ts";

/** An index of pairs as the migration makes it. */
function openIndex(): DatabaseSync {
  const migrations = readMigrations(path.resolve(import.meta.dirname, "../../migrations"));
  const { statements } = migrations.find(({ name }) => name === "0086_search-pairs")!;
  const database = new DatabaseSync(":memory:");
  database.exec(statements.find((statement) => statement.includes("TABLE message_pairs"))!);
  return database;
}

const letters = ["東", "京", "港", "の", "ー", "々", "가", "나", "ก", "ข", "กั", "a", "b", " ", "・"];
const text = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((all) => all.join(""));
const part = fc
  .array(fc.constantFrom("東", "京", "港", "の", "ー", "가", "나", "ก", "ข", "กั"), { minLength: 1, maxLength: 4 })
  .map((all) => all.join(""));

it("any part of a text in a script without spaces is found by its pairs, and nothing else", () => {
  const database = openIndex();
  const insert = database.prepare("INSERT OR REPLACE INTO message_pairs (rowid, user_id, content) VALUES (1, 'u', ?)");
  const find = database.prepare("SELECT count(*) AS count FROM message_pairs WHERE message_pairs MATCH ?");
  fc.assert(
    fc.property(text, part, text, fc.boolean(), (before, asked, after, isIn) => {
      const whole = isIn ? `${before}${asked}${after}` : `${before}${after}`;
      insert.run(pairText(whole));
      const { match } = searchWords(asked);
      expect(find.get(`content : (${match})`)!["count"], whole).toBe(whole.includes(asked) ? 1 : 0);
    }),
    { numRuns: 2000 },
  );
  database.close();
});

it("whatever is searched for, the expression is one", () => {
  const database = openIndex();
  const find = database.prepare("SELECT count(*) AS count FROM message_pairs WHERE message_pairs MATCH ?");
  const signs = [
    ...letters,
    '"',
    "*",
    "(",
    ")",
    ":",
    "^",
    "-",
    "+",
    "{",
    "⺀",
    "゛",
    "\u3099",
    "\u0e31",
    "🚢",
    "AND",
    "OR",
  ];
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fc.constantFrom(...signs)).map((all) => all.join("")),
        fc.string({ unit: "binary" }),
      ),
      (asked) => {
        const { match } = searchWords(asked);
        expect(() => match === undefined || find.get(`content : (${match})`)).not.toThrow();
      },
    ),
    { numRuns: 2000 },
  );
  database.close();
});
