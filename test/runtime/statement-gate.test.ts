import { createClient, type Client } from "@libsql/client/web";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { argument } from "../../src/db/look-up.ts";
import { HranaSocket } from "../../workers/database/hrana/hrana-socket.ts";
import { timedWrites } from "../../workers/database/time-writes.ts";
import type { Env } from "../../workers/env.ts";
import { servicesOf } from "../../workers/services.ts";

const bindings = env as unknown as Env;

/** A client whose pipelines go over the gate, counting those that could not. */
function gatedClient(): { client: Client; direct: () => number } {
  let direct = 0;
  const client = createClient({
    url: bindings.DB_URL,
    authToken: bindings.DB_AUTH_TOKEN!,
    fetch: async (input: Request) => {
      const body = await input.clone().text();
      const answer = await bindings.STATEMENT_GATE.getByName("work").pipeline(body);
      if (answer !== undefined) return new Response(answer, { headers: { "content-type": "application/json" } });
      direct++;
      return bindings.TRUSTED!.fetch(input);
    },
  });
  return { client, direct: () => direct };
}

let tables = 0;
async function newTable(client: Client): Promise<string> {
  const name = `gate_${tables++}`;
  await client.execute(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, text TEXT UNIQUE, bytes BLOB, number REAL)`);
  return name;
}

test("values of every kind come back as they were, by statements alone and in batches", async () => {
  const { client, direct } = gatedClient();
  const table = await newTable(client);
  const bytes = new Uint8Array([0, 1, 255]);
  const args = [9_007_199_254_740_991, 'Ł "quoted"\n', bytes, 0.5];
  await client.batch([{ sql: `INSERT INTO ${table} VALUES (?, ?, ?, ?)`, args }], "write");
  const { rows } = await client.execute(`SELECT * FROM ${table}`);
  expect(rows.map((row) => [row.id, row.text, new Uint8Array(row.bytes as ArrayBuffer), row.number])).toEqual([args]);
  const [first, second] = await client.batch(
    [`SELECT id FROM ${table}`, `SELECT id FROM ${table} WHERE id < 0`],
    "read",
  );
  expect([first?.rows.length, second?.rows.length]).toEqual([1, 0]);
  expect(direct()).toBe(0);
});

test("a batch is whole or nothing, and its stream is good afterwards", async () => {
  const { client, direct } = gatedClient();
  const table = await newTable(client);
  await client.execute({ sql: `INSERT INTO ${table} (text) VALUES (?)`, args: ["there"] });
  for (let turn = 0; turn < 10; turn++) {
    const insert = (text: string) => ({ sql: `INSERT INTO ${table} (text) VALUES (?)`, args: [text] });
    await expect(client.batch([insert("new"), insert("there")], "write")).rejects.toThrow(/UNIQUE constraint failed/);
    await expect(client.execute("SELECT a FROM nowhere")).rejects.toThrow(/no such table/);
  }
  const { rows } = await client.execute(`SELECT text FROM ${table}`);
  expect(rows.map((row) => row.text)).toEqual(["there"]);
  expect(direct()).toBe(0);
});

test("more at once than there are streams: each gets its own answer, and nothing is lost", async () => {
  const { client, direct } = gatedClient();
  const table = await newTable(client);
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, at) => {
      if (at % 3 > 0) return (await client.execute({ sql: "SELECT ? AS n", args: [at] })).rows[0]?.n;
      const [done] = await client.batch(
        [{ sql: `INSERT INTO ${table} (number) VALUES (?) RETURNING number`, args: [at] }],
        "write",
      );
      return done?.rows[0]?.number;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 300 }, (_, at) => at));
  const { rows } = await client.execute(`SELECT count(*) AS n FROM ${table}`);
  expect(rows[0]?.n).toBe(100);
  expect(direct()).toBe(0);
});

test("much goes through in both directions", async () => {
  const { client, direct } = gatedClient();
  const table = await newTable(client);
  const text = "x".repeat(1_500_000);
  await client.batch(
    Array.from({ length: 4 }, (_, at) => ({ sql: `INSERT INTO ${table} (text) VALUES (?)`, args: [text + at] })),
    "write",
  );
  const { rows } = await client.execute(`SELECT text FROM ${table} ORDER BY id`);
  expect(rows.map((row) => (row.text as string).length)).toEqual(Array.from({ length: 4 }, () => 1_500_001));
  expect(direct()).toBe(0);
});

test("what leaves a transaction open goes another way", async () => {
  const { client, direct } = gatedClient();
  const table = await newTable(client);
  const transaction = await client.transaction("write");
  await transaction.execute(`INSERT INTO ${table} (text) VALUES ('a')`);
  await transaction.rollback();
  expect(direct()).toBeGreaterThan(0);
  expect((await client.execute(`SELECT * FROM ${table}`)).rows).toEqual([]);
});

/** Would count for minutes. */
const endless = (table: string) => `INSERT INTO ${table} (number)
  WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000000) SELECT count(*) FROM c`;

test("a write that takes too long is stopped and undone, and those that wait for it go on in their order", async () => {
  const { client, direct } = gatedClient();
  const table = await newTable(client);
  const insert = (text: string) => ({ sql: `INSERT INTO ${table} (text) VALUES (?)`, args: [text] });
  const stopped = client.batch([insert("lost"), endless(table)], "write");
  const others = Array.from({ length: 5 }, (_, at) => client.execute(insert(`${at}`)));
  await expect(stopped).rejects.toThrow(/WRITE_TIMEOUT/);
  await Promise.all(others);
  const { rows } = await client.execute(`SELECT text FROM ${table} ORDER BY id`);
  expect(rows.map((row) => row.text)).toEqual(["0", "1", "2", "3", "4"]);
  expect(direct()).toBe(0);
});

test("without the gate, too", async () => {
  const { client: other } = gatedClient();
  const table = await newTable(other);
  const send = timedWrites(bindings.TRUSTED!.fetch.bind(bindings.TRUSTED!) as typeof fetch);
  const client = createClient({ url: bindings.DB_URL, authToken: bindings.DB_AUTH_TOKEN!, fetch: send });
  await client.execute(`INSERT INTO ${table} (text) VALUES ('kept')`);
  await expect(client.execute(endless(table))).rejects.toThrow(/WRITE_TIMEOUT/);
  await other.execute(`INSERT INTO ${table} (text) VALUES ('next')`);
  const { rows } = await client.execute(`SELECT text FROM ${table} ORDER BY id`);
  expect(rows.map((row) => row.text)).toEqual(["kept", "next"]);
});

test("a look-up finds its one text, or nothing", async () => {
  const { lookup } = servicesOf({ ...bindings, LOOKUP_GATE: "1" }, () => undefined);
  const sql = `SELECT asked.key, json_object('a', ${argument(0)}, 'n', ${argument(1)}) FROM json_each(?1) asked WHERE ${argument(2)} IS NULL`;
  expect(await lookup({ sql, args: ["ä", 1.5, null] })).toBe('{"a":"ä","n":1.5}');
  expect(await lookup({ sql, args: ["ä", 1.5, 1] })).toBeUndefined();
});

test("look-ups that come while the database answers are asked together, a statement for all who ask the same", async () => {
  const { lookup } = servicesOf({ ...bindings, LOOKUP_GATE: "1" }, () => undefined);
  const doubled = `SELECT asked.key, json(${argument(0)} * 2) FROM json_each(?1) asked WHERE ${argument(0)} <> 6 ORDER BY 1 DESC`;
  const named = `SELECT asked.key, json_object('name', ${argument(0)}) FROM json_each(?1) asked`;
  const request = vi.spyOn(HranaSocket.prototype, "request");
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      lookup(at % 2 === 0 ? { sql: doubled, args: [at] } : { sql: named, args: [`${at}`] }),
    ),
  );
  const expected = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? `${at * 2}` : `{"name":"${at}"}`));
  expect(answers).toEqual(expected.with(6, undefined as never));
  const batches = request.mock.calls.map(([{ batch }]) => batch as { steps: unknown[] } | undefined).filter(Boolean);
  request.mockRestore();
  expect(batches.length).toBeLessThan(10);
  expect(Math.max(...batches.map((batch) => batch!.steps.length))).toBe(2);
});

test("a statement that fails is told to those who asked it, and to nobody else", async () => {
  const gate = bindings.STATEMENT_GATE.getByName("gate");
  const ask = (column: string) =>
    gate.read(`SELECT asked.key, ${column} FROM json_each(?1) asked`, []).then(
      (text) => text,
      (error: unknown) => String(error),
    );
  const answers = await Promise.all(["'first'", "absent", "'there'"].map(ask));
  expect(answers).toEqual(["first", expect.stringContaining("no such column"), "there"]);
});

test("with a replica, large reads go there where there is no gate", async () => {
  const asked: string[] = [];
  const send = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    asked.push(new URL(request.url).hostname);
    return bindings.TRUSTED!.fetch(request);
  };
  const TRUSTED = { fetch: send } as unknown as Fetcher;
  const DB_REPLICA_URL = bindings.DB_URL.replace("127.0.0.1", "localhost");
  const { LOOKUP_GATE: _, ...direct } = bindings;
  const services = servicesOf({ ...direct, TRUSTED, DB_REPLICA_URL }, () => undefined);
  expect(await services.replica.all(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  // Once for the rows, and once for the number of the newest write.
  expect(asked.toSorted()).toEqual(["127.0.0.1", "localhost"]);
  const gated = servicesOf({ ...bindings, LOOKUP_GATE: "1", DB_REPLICA_URL }, () => undefined);
  expect(gated.replica).toBe(gated.db);
});
