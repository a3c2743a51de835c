import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { RunStopped } from "../../../src/shared/moving-in/ask-service.ts";
import { httpTarget, type RecordResult } from "../../../src/shared/moving-in/import-target.ts";
import type { Reader, RowSource, Translated } from "../../../src/shared/moving-in/row-source.ts";
import { type Progress, runImport } from "../../../src/shared/moving-in/run-import.ts";
import { Tally } from "../../../src/shared/moving-in/tally.ts";

interface Sent {
  records: { kind: string; id: string; text?: string }[];
  dry_run: boolean;
}

const opened: (() => void)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

/** An import API that keeps what it is sent. @param refuse the answer instead, for requests that are refused */
async function startService(refuse: (sent: Sent, asked: number) => [number, object] | undefined = () => undefined) {
  const requests: Sent[] = [];
  const files = new Map<string, string>();
  let asked = 0;
  const answer = (response: ServerResponse, status: number, body: object, headers = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== "Bearer key") return void answer(response, 401, { detail: "Sign in first" });
    if (request.method === "PUT") {
      const bytes = Buffer.concat(await request.toArray());
      const id = request.url!.split("/").at(-1)!.split("?", 1)[0]!;
      files.set(id, bytes.toString());
      return void answer(response, 200, {
        kind: "file",
        id,
        state: "created",
        earlier: false,
        target_id: id,
        notes: [],
      });
    }
    const body = (await json(request)) as Sent;
    if (request.url === "/base/api/v1/imports") return void answer(response, 200, { id: "import-1" });
    const refusal = refuse(body, (asked += 1));
    if (refusal) return void answer(response, refusal[0], refusal[1], { "retry-after": "0" });
    requests.push(body);
    const results = body.records.map(({ kind, id }) => ({
      kind,
      id,
      state: "created",
      earlier: false,
      target_id: id,
      notes: [],
    }));
    answer(response, 200, { results });
  }
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`, requests, files };
}

const source: RowSource = {
  columns: async () => new Set(["id"]),
  async *rows() {
    for (let id = 0; id < 450; id += 1) yield { id: String(id) };
  },
  rowsOf: async () => [],
  count: async () => 450,
};

function readerOf(translate: (id: string) => Translated): Reader {
  return {
    name: "things",
    tables: ["thing"],
    async *read(reading) {
      for await (const row of reading.source.rows("thing")) yield translate(row["id"] as string);
    },
  };
}

const record = (id: string, text?: string): Translated => ({
  record: { kind: "thing", id, ...(text === undefined ? {} : { text }) },
});

async function run(
  url: string,
  reader: Reader,
  { dryRun = false, key = "key", signal = new AbortController().signal } = {},
) {
  const outcomes: RecordResult[] = [];
  const progress: Progress[] = [];
  const target = httpTarget({ url, key, signal });
  const importId = await target.begin({ source: "open-webui", fingerprint: "x", name: "x" });
  await runImport({
    readers: [reader],
    reading: { source, uploads: { open: async () => undefined } },
    target,
    importId,
    mergeByEmail: false,
    dryRun,
    onOutcome: (outcome) => outcomes.push(outcome),
    onProgress: (state) => progress.push(state),
  });
  const tally = new Tally();
  for (const outcome of outcomes) tally.add(outcome);
  return { outcomes, progress, tally };
}

test("sends records in their order, in requests of at most 200, and tells how far it is", async () => {
  const { url, requests } = await startService();
  const { tally, progress } = await run(
    url,
    readerOf((id) => record(id)),
  );
  expect(requests.map(({ records }) => records.length)).toEqual([200, 200, 50]);
  expect(requests.flatMap(({ records }) => records.map(({ id }) => Number(id)))).toEqual([
    ...Array.from({ length: 450 }).keys(),
  ]);
  expect(tally.rows()).toMatchObject([{ kind: "thing", created: 450, failed: 0 }]);
  expect(progress.at(0)).toEqual({ reader: "things", done: 0, total: 450 });
  expect(progress.at(-1)).toEqual({ reader: "things", done: 450, total: 450 });
});

test("requests stay small, except where one record is large; one that is too large is not sent", async () => {
  const { url, requests } = await startService();
  const sizes: Record<string, number> = { 0: 3_000_000, 1: 16_000_000 };
  const { tally, outcomes } = await run(
    url,
    readerOf((id) => record(id, "x".repeat(sizes[id] ?? 50_000))),
  );
  expect(Math.max(...requests.map((sent) => JSON.stringify(sent).length))).toBeLessThan(3_100_000);
  expect(tally.rows()).toMatchObject([{ created: 449, failed: 1 }]);
  expect(outcomes.find(({ state }) => state === "failed")).toMatchObject({
    id: "1",
    notes: ["It is too large to send"],
  });
});

test("where a request is refused, only the record that is the reason fails", async () => {
  const bad = ({ records }: Sent) => records.some(({ id }) => id === "123");
  const { url, requests } = await startService((sent) =>
    bad(sent) ? [422, { detail: "Too many values" }] : undefined,
  );
  const { outcomes } = await run(
    url,
    readerOf((id) => record(id)),
  );
  expect(outcomes.filter(({ state }) => state === "failed")).toMatchObject([{ id: "123", notes: ["Too many values"] }]);
  expect(requests.flatMap(({ records }) => records)).toHaveLength(449);
});

test("waits for a service that is busy or away", async () => {
  const { url, requests } = await startService((_, asked) =>
    asked < 3 ? [asked === 1 ? 503 : 429, { detail: "Try again later" }] : undefined,
  );
  await run(
    url,
    readerOf((id) => record(id)),
  );
  expect(requests).toHaveLength(3);
});

test("ends with the reason where the key is refused, and when it is stopped", async () => {
  const { url } = await startService();
  const reader = readerOf((id) => record(id));
  await expect(run(url, reader, { key: "other" })).rejects.toThrow(
    new RunStopped("The service refuses the key: Sign in first"),
  );
  const stopped = new AbortController();
  const stopping = readerOf((id) => {
    if (id === "300") stopped.abort(new RunStopped("Stopped"));
    return record(id);
  });
  await expect(run(url, stopping, { signal: stopped.signal })).rejects.toThrow("Stopped");
});

test("uploads the bytes of files, and what is missing is left out; a dry run uploads nothing", async () => {
  const open = async (id: string) =>
    id === "7" ? undefined : { size: id.length, body: new Blob([id]).stream() as ReadableStream<Uint8Array> };
  const reader = readerOf((id) => ({ file: { id, person_id: "p", name: "a b.txt" }, open: () => open(id) }));
  const { url, files } = await startService();
  const dry = await run(url, reader, { dryRun: true });
  expect(files.size).toBe(0);
  const { tally, outcomes } = await run(url, reader);
  expect(dry.tally.rows()).toEqual(tally.rows());
  expect(tally.rows()).toMatchObject([{ kind: "file", created: 449, left_out: 1 }]);
  expect(outcomes.find(({ state }) => state === "left_out")).toMatchObject({ id: "7" });
  expect(files.get("123")).toBe("123");
});

test("what the reader leaves out is an outcome", async () => {
  const { url } = await startService();
  const { tally } = await run(
    url,
    readerOf((id) => ({ leftOut: { kind: "note", id, reason: "No place for it" } })),
  );
  expect(tally.rows()).toMatchObject([{ kind: "note", left_out: 450 }]);
});
