import { createClient } from "@libsql/client";
import { desc, lt, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../src/db/client.ts";
import { listAsJson } from "../../src/db/list-as-json.ts";

const ships = sqliteTable("ships", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  note: text("note"),
  isOpen: integer("is_open", { mode: "boolean" }).notNull(),
  builtAt: integer("built_at", { mode: "timestamp" }),
  papers: text("papers", { mode: "json" }).$type<{ flag: string } | null>(),
});

const client = createClient({ url: ":memory:" });
const db = createDatabase(client);
const columns = {
  id: ships.id,
  name: ships.name,
  note: ships.note,
  isOpen: ships.isOpen,
  builtAt: ships.builtAt,
  papers: ships.papers,
  length: sql<number>`length(${ships.name})`.mapWith(Number),
};

beforeAll(async () => {
  await client.execute(
    "CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, note TEXT, is_open INTEGER, built_at INTEGER, papers TEXT)",
  );
  const rows: (typeof ships.$inferInsert)[] = [
    { id: 1, name: "Ada", note: null, isOpen: true, builtAt: new Date(1_700_000_000_000), papers: null },
    { id: 2, name: 'Böe "the\\wide"\n\t港\u0001', note: "", isOpen: false, papers: { flag: '"de"' } },
    { id: Number.MAX_SAFE_INTEGER, name: "Zoe 🚢 \u2028", note: "null", isOpen: true },
    { id: -7, name: "[1]", note: '{"a":1}', isOpen: false, builtAt: new Date(0) },
  ];
  await db.insert(ships).values(rows);
});
afterAll(() => client.close());

test("rows are the same as those of the select, in its order", async () => {
  const query = () => db.select(columns).from(ships).orderBy(desc(ships.id)).limit(4);
  const rows = await query();
  expect(rows).toHaveLength(4);
  expect(await listAsJson(db, columns, query())).toEqual(rows);
});

test("no rows are an empty list", async () => {
  const nobody = db.select(columns).from(ships).where(lt(ships.id, -100)).limit(5);
  expect(await listAsJson(db, columns, nobody)).toEqual([]);
});
