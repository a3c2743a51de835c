import { createClient } from "@libsql/client/web";
import { expect, test } from "vitest";
import { pipelineAnswer, readPipeline } from "../../../../workers/database/hrana/pipeline.ts";

/** What the client sends for this. */
async function sent(work: (client: ReturnType<typeof createClient>) => Promise<unknown>): Promise<string> {
  let body = "";
  const client = createClient({
    url: "http://127.0.0.1:1",
    fetch: async (request: Request) => {
      body = await request.text();
      throw new Error("not sent");
    },
  });
  await work(client).catch(() => undefined);
  return body;
}

test.each([
  ["SELECT 1", false],
  ["  with a AS (SELECT 1) SELECT * FROM a", false],
  ["WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", true],
  ["UPDATE t SET a = 1 RETURNING a", true],
  ["PRAGMA wal_checkpoint", true],
])("%s alone: writes %s", async (sql, writes) => {
  expect(readPipeline(await sent((client) => client.execute(sql)))).toMatchObject({
    request: { type: "execute", stmt: { sql } },
    writes,
    storedTexts: 0,
  });
});

test.each(["read", "write", "deferred"] as const)("a batch (%s) has its texts in it again", async (mode) => {
  const batch = ["SELECT 1", { sql: "SELECT ?", args: [2] }, "SELECT 1"];
  const work = readPipeline(await sent((client) => client.batch(batch, mode)))!;
  const { steps } = work.request["batch"] as { steps: { stmt: { sql: string; sql_id?: number } }[] };
  expect(steps.map(({ stmt }) => stmt.sql)).toEqual([
    expect.stringMatching(/^BEGIN/),
    "SELECT 1",
    "SELECT ?",
    "SELECT 1",
    "COMMIT",
    "ROLLBACK",
  ]);
  expect(steps.every(({ stmt }) => stmt.sql_id === undefined)).toBe(true);
  expect(work).toMatchObject({ writes: mode !== "read", storedTexts: 2 });
  const answer = JSON.parse(pipelineAnswer(work, { ok: true, response: `{"type":"batch"}` })) as { results: unknown[] };
  expect(answer.results).toHaveLength(4);
});

test.each([
  ["", "nothing"],
  ["null", "no object"],
  ['{"baton":"x","requests":[{"type":"close"}]}', "a stream that is open"],
  ['{"baton":null,"requests":[]}', "no request"],
  ['{"baton":null,"requests":[{"type":"close"}]}', "only an end"],
  ['{"baton":null,"requests":[{"type":"execute","stmt":{"sql":"SELECT 1"}}]}', "no end"],
  ['{"baton":null,"requests":[{"type":"execute","stmt":{"sql":" begin"}},{"type":"close"}]}', "a transaction"],
  ['{"baton":null,"requests":[{"type":"sequence","sql":"SELECT 1"},{"type":"close"}]}', "a script"],
  [
    '{"baton":null,"requests":[{"type":"execute","stmt":{"sql":"SELECT 1"}},{"type":"execute","stmt":{"sql":"SELECT 2"}},{"type":"close"}]}',
    "two things",
  ],
  [
    '{"baton":null,"requests":[{"type":"batch","batch":{"steps":[{"stmt":{"sql":"BEGIN"}}]}},{"type":"close"}]}',
    "a batch without an end",
  ],
  ['{"baton":null,"requests":[{"type":"execute","stmt":{"sql_id":7}},{"type":"close"}]}', "an unknown text"],
])("%s is left to the database: %s", (body) => {
  expect(readPipeline(body)).toBeUndefined();
});
