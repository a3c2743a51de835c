import { createClient, type Client, type InStatement, type Row } from "@libsql/client/web";
import { expect, test } from "vitest";
import { readAtGate } from "../../workers/database/gated-client.ts";
import { type Outcome } from "../../workers/database/hrana/hrana-socket.ts";
import { pipelineAnswer, readPipeline } from "../../workers/database/hrana/pipeline.ts";

/** A client, and one that reads at the gate, of a database that answers so; with what was sent, and by which way. */
function open(outcome: Outcome, { gate = true } = {}) {
  const sent: { way: "client" | "gate"; request: unknown }[] = [];
  const answer = (way: "client" | "gate", body: string) => {
    const work = readPipeline(body)!;
    sent.push({ way, request: work.request });
    return pipelineAnswer(work, outcome);
  };
  const client = createClient({
    url: "http://127.0.0.1:1",
    fetch: async (request: Request) =>
      new Response(answer("client", await request.text()), { headers: { "content-type": "application/json" } }),
  });
  const gated = readAtGate(
    () => client,
    async (body) => (gate ? answer("gate", body) : undefined),
  );
  return { client, gated, sent };
}

const resultOf = (names: (string | null)[], ...rows: object[][]) => ({
  cols: names.map((name) => ({ name, decltype: null })),
  rows,
  affected_row_count: 0,
  last_insert_rowid: null,
});

const found = (names: (string | null)[], ...rows: object[][]): Outcome => ({
  ok: true,
  response: JSON.stringify({ type: "execute", result: resultOf(names, ...rows) }),
});

const read: InStatement = { sql: "SELECT ?", args: ["a"] };
const readBoth = async (outcome: Outcome, of: (row: Row, columns: string[]) => unknown) => {
  const { client, gated } = open(outcome);
  const seen = async (asked: Client) => {
    const { rows, columns } = await asked.execute(read);
    return rows.map((row) => of(row, columns));
  };
  return [await seen(gated), await seen(client)];
};

const text = (value: string) => ({ type: "text", value });

test("a read is what the client makes of it, by names, by numbers and in their order", async () => {
  const outcome = found(
    ["id", "name", "id", "length", "0", "constructor", null, "at"],
    [
      text("first"),
      text("é"),
      text("second"),
      { type: "integer", value: "7" },
      { type: "float", value: 1.5 },
      { type: "null" },
      { type: "blob", base64: "AAH/" },
      { type: "integer", value: "-9007199254740991" },
    ],
    Array.from({ length: 8 }, (_, at) => text(`value ${at}`)),
  );
  for (const of of [
    (row: Row) => JSON.stringify(Object.entries(row)),
    (row: Row) => Object.keys(row),
    (row: Row) => Array.prototype.slice.call(row) as unknown[],
    (row: Row) => row.length,
    (_: Row, columns: string[]) => columns,
  ]) {
    const [gated, client] = await readBoth(outcome, of);
    expect(gated).toEqual(client);
    expect(gated).toHaveLength(2);
  }
});

test("a number that is too large is an error, as with the client", async () => {
  const { client, gated } = open(found(["n"], [{ type: "integer", value: "9007199254740993" }]));
  await expect(gated.execute(read)).rejects.toThrow(RangeError);
  await expect(client.execute(read)).rejects.toThrow(RangeError);
});

test("what the database refuses is the same error", async () => {
  const error = { message: "SQLite error: no such table: t", code: "SQLITE_ERROR" };
  const { client, gated } = open({ ok: false, error: JSON.stringify(error), code: error.code });
  const errors = await Promise.all(
    [gated, client].map((each) => each.execute(read).catch((thrown: unknown) => thrown)),
  );
  expect(String(errors[0])).toContain("no such table");
  expect(String(errors[0])).toBe(String(errors[1]));
  expect((errors[0] as { code: string }).code).toBe((errors[1] as { code: string }).code);
});

test("values are sent as the client sends them", async () => {
  const args = ["a", 1, 1.5, true, false, null];
  const { client, gated, sent } = open(found(["a"]));
  await gated.execute({ sql: "SELECT ?, ?, ?, ?, ?, ?", args });
  await client.execute({ sql: "SELECT ?, ?, ?, ?, ?, ?", args });
  const [atGate, byClient] = sent as { way: string; request: { stmt: { args: unknown[] } } }[];
  expect([atGate!.way, byClient!.way]).toEqual(["gate", "client"]);
  expect(atGate!.request.stmt.args).toEqual(byClient!.request.stmt.args);
});

test.each<[string, InStatement]>([
  ["a write", { sql: "UPDATE t SET a = ?", args: [1] }],
  ["a read that writes", { sql: "WITH a AS (SELECT 1) DELETE FROM t", args: [] }],
  ["bytes", { sql: "SELECT ?", args: [new Uint8Array(1)] }],
  ["names", { sql: "SELECT :a", args: { a: 1 } }],
  ["a text alone", "SELECT 1"],
])("%s goes by the client", async (_, statement) => {
  const { gated, sent } = open(found(["a"], [text("b")]));
  expect((await gated.execute(statement)).rows[0]!["a"]).toBe("b");
  expect(sent.map(({ way }) => way)).toEqual(["client"]);
});

test("a read that the gate cannot do goes by the client", async () => {
  const { gated, sent } = open(found(["a"], [text("b")]), { gate: false });
  expect((await gated.execute(read)).rows[0]!["a"]).toBe("b");
  expect(sent.map(({ way }) => way)).toEqual(["client"]);
});

const batched = (...results: ReturnType<typeof resultOf>[]): Outcome => {
  const step_results = [resultOf([]), ...results, resultOf([]), null];
  return {
    ok: true,
    response: JSON.stringify({
      type: "batch",
      result: { step_results, step_errors: step_results.map(() => null) },
    }),
  };
};

test("a batch of reads is what the client makes of it", async () => {
  const { client, gated, sent } = open(
    batched(resultOf(["a"], [text("b")], [text("c")]), resultOf(["n"], [{ type: "integer", value: "7" }])),
  );
  const both: InStatement[] = [read, { sql: "SELECT 7 AS n", args: [1] }];
  const [atGate, byClient] = [await gated.batch(both, "read"), await client.batch(both, "read")];
  const shown = (results: typeof atGate) =>
    results.map(({ columns, rows }) => ({ columns, rows: rows.map((row) => [row.length, row[0], { ...row }]) }));
  expect(shown(atGate)).toEqual(shown(byClient));
  expect(sent.map(({ way }) => way)).toEqual(["gate", "client"]);
  const [mine, theirs] = sent.map(({ request }) => request as { batch: { steps: Step[] } });
  expect(mine!.batch.steps.map(plainStep)).toEqual(theirs!.batch.steps.map(plainStep));
});

interface Step {
  stmt: { sql: string; args?: unknown[]; want_rows?: boolean };
  condition?: unknown;
}
/** Without what means the same when it is left out. */
const plainStep = ({ stmt: { sql, args, want_rows }, condition }: Step) => ({
  sql,
  args: args ?? [],
  wantsRows: want_rows ?? true,
  condition: condition ?? null,
});

test.each([
  ["the first", 0],
  ["a later one", 1],
])("what fails in a batch of reads is the same error: %s", async (_, at) => {
  const error = { message: "SQLite error: no such table: t", code: "SQLITE_ERROR" };
  const step_errors = [null, null, null, null, null].map((none, step) => (step === at + 1 ? error : none));
  const step_results = step_errors.map((_none, step) => (step <= at || step === 4 ? resultOf([]) : null));
  const { client, gated } = open({
    ok: true,
    response: JSON.stringify({ type: "batch", result: { step_results, step_errors } }),
  });
  const errors = await Promise.all(
    [gated, client].map((each) => each.batch([read, read], "read").catch((thrown: unknown) => thrown)),
  );
  const shown = (thrown: unknown) => {
    const { name, message, code, statementIndex } = thrown as Error & { code: string; statementIndex: number };
    // The client says the code of a batch twice.
    return { name, message: message.replace(/^(?:SQLITE_ERROR: )+/, ""), code, statementIndex };
  };
  expect(shown(errors[0])).toEqual(shown(errors[1]));
  expect(shown(errors[0])).toMatchObject({ name: "LibsqlBatchError", statementIndex: at });
});

test.each<[string, InStatement[], "read" | "write" | undefined]>([
  ["with a write", [read, { sql: "UPDATE t SET a = ?", args: [1] }], "read"],
  ["that takes the lock for writing", [read], "write"],
  ["of another kind", [read], undefined],
  ["with bytes", [read, { sql: "SELECT ?", args: [new Uint8Array(1)] }], "read"],
])("a batch %s goes by the client", async (_, statements, mode) => {
  const { gated, sent } = open(batched(...statements.map(() => resultOf(["a"], [text("b")]))));
  await gated.batch(statements, mode);
  expect(sent.map(({ way }) => way)).toEqual(["client"]);
});
