import type { Client } from "@libsql/client";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "../../src/db/client.ts";

/** A client that finds the lock taken so many times before it answers. */
function locked(
  times: number,
  message = "SQLITE_BUSY: SQLite error: database is locked",
): { client: Client; calls: () => number } {
  let calls = 0;
  const answer = () => {
    if (calls++ < times) throw new Error(message);
    return { columns: [], columnTypes: [], rows: [], rowsAffected: 0, lastInsertRowid: undefined, toJSON: () => ({}) };
  };
  const client = { execute: async () => answer(), batch: async () => [answer()] } as unknown as Client;
  return { client, calls: () => calls };
}

test("a write that is sent away because of others tries again, alone or in a batch", async () => {
  for (const run of ["execute", "batch"] as const) {
    const { client, calls } = locked(2, run === "batch" ? "Server returned HTTP status 429" : undefined);
    const db = createDatabase(client);
    const statement = db.run(sql`UPDATE users SET name = 'x'`);
    await (run === "batch" ? db.batch([statement]) : statement);
    expect(calls()).toBe(3);
  }
});

test("one that finds the lock taken again and again fails, and no other error is tried twice", async () => {
  const { client, calls } = locked(100);
  await expect(
    createDatabase(client).batch([createDatabase(client).run(sql`UPDATE users SET name = 'x'`)]),
  ).rejects.toThrow("locked");
  expect(calls()).toBe(8);
  let others = 0;
  const broken = {
    batch: async () => Promise.reject(new Error(`UNIQUE constraint failed ${++others}`)),
  } as unknown as Client;
  const db = createDatabase(broken);
  await expect(db.batch([db.run(sql`UPDATE users SET name = 'x'`)])).rejects.toThrow("UNIQUE constraint failed 1");
});
