import { createClient } from "@libsql/client";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { blob, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../../src/db/client.ts";

const ships = sqliteTable("ships", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  note: text("note"),
  isOpen: integer("is_open", { mode: "boolean" }).notNull(),
  builtAt: integer("built_at", { mode: "timestamp" }),
  weight: real("weight"),
  papers: text("papers", { mode: "json" }).$type<{ flag: string } | null>(),
  seal: blob("seal", { mode: "buffer" }),
});
const berths = sqliteTable(
  "berths",
  { ship: integer("ship"), number: integer("number").notNull(), remark: text("remark") },
  ({ ship, number }) => [primaryKey({ columns: [ship, number] })],
);

const client = createClient({ url: ":memory:" });
const [ours, drizzles] = [createDatabase(client), drizzle(client) as Database];

beforeAll(async () => {
  await client.executeMultiple(`
    CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, note TEXT, is_open INTEGER, built_at INTEGER, weight REAL, papers TEXT, seal BLOB);
    CREATE TABLE berths (ship INTEGER, number INTEGER, remark TEXT);
    INSERT INTO ships VALUES (1, 'Ada', NULL, 1, 1700000000, 1.5, '{"flag":"de"}', x'00ff'), (2, 'Böe', 'wide', 0, NULL, NULL, 'null', NULL);
    INSERT INTO berths VALUES (1, 7, NULL), (1, 8, 'by the wall'), (NULL, 9, 'free');`);
});
afterAll(() => client.close());

const count = sql<number>`count(*)`.mapWith(String);
const queries: Record<string, (db: Database) => { all(): Promise<unknown[]> }> = {
  "whole rows of every kind of column": (db) => db.select().from(ships),
  "no rows": (db) => db.select().from(ships).where(eq(ships.id, 3)),
  "expressions, with and without a name and a mapping": (db) =>
    db
      .select({ id: ships.id, plain: sql`upper(${ships.name})`, named: count.as("counted"), mapped: count })
      .from(ships)
      .groupBy(ships.id),
  "objects in objects": (db) =>
    db.select({ ship: { name: ships.name, built: { at: ships.builtAt } as never }, note: ships.note }).from(ships),
  "a table joined from the left, of which some rows are missing": (db) =>
    db.select().from(ships).leftJoin(berths, eq(berths.ship, ships.id)),
  "one whose first column is null and the second is not": (db) =>
    db
      .select({ id: ships.id, berth: { remark: berths.remark, number: berths.number } })
      .from(ships)
      .leftJoin(berths, eq(berths.ship, ships.id)),
  "an object of columns of two tables": (db) =>
    db
      .select({ both: { remark: berths.remark, note: ships.note } })
      .from(ships)
      .leftJoin(berths, eq(berths.ship, ships.id)),
  "an object with an expression in it": (db) =>
    db
      .select({ berth: { at: sql`${berths.number} + 1`, remark: berths.remark } })
      .from(ships)
      .leftJoin(berths, eq(berths.ship, ships.id)),
  "joins from the right": (db) => db.select().from(ships).rightJoin(berths, eq(berths.ship, ships.id)),
  "joins from both sides": (db) => db.select().from(ships).fullJoin(berths, eq(berths.ship, ships.id)),
  "joins from the inside": (db) => db.select().from(ships).innerJoin(berths, eq(berths.ship, ships.id)),
  "a query in a query": (db) => {
    const inner = db
      .select({ ship: berths.ship, count: count.as("count") })
      .from(berths)
      .groupBy(berths.ship)
      .as("inner");
    return db
      .select({ name: ships.name, isOpen: ships.isOpen, count: inner.count })
      .from(ships)
      .leftJoin(inner, eq(inner.ship, ships.id)) as never;
  },
  "rows that a write returns": (db) => db.update(ships).set({ note: "seen" }).returning() as never,
  "a statement as text": (db) => ({ all: () => db.all(sql`SELECT id, is_open, seal FROM ships`) }),
};

test.each(Object.entries(queries))("makes of rows what drizzle makes of them: %s", async (_, query) => {
  const found = await query(ours).all();
  expect(found).toEqual(await query(drizzles).all());
  expect(found.map((row) => JSON.stringify(row))).toEqual(
    (await query(drizzles).all()).map((row) => JSON.stringify(row)),
  );
});

test("the same in a batch", async () => {
  const both = (db: Database) =>
    db.batch([db.select().from(ships), db.select().from(ships).leftJoin(berths, eq(berths.ship, ships.id))]);
  expect(await both(ours)).toEqual(await both(drizzles));
});
