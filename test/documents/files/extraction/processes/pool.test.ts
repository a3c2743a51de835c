import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type ExtractEvent, ExtractorLost } from "../../../../../src/documents/files/extraction/extractor.ts";
import { startExtractor, type StartedExtractor, type StartOptions } from "./start-extractor.ts";

/** Does what the document says. */
const script = `
const line = (value) => new TextEncoder().encode(JSON.stringify(value) + "\\n");
const end = line({ type: "end", pages: null, title: null });
const acts = {
  quick: async (write) => write(end),
  loop: async (write) => {
    await write(line({ type: "progress", done: 1, total: null }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (;;);
  },
  heap: async () => { const all = []; for (;;) all.push({ at: all.length, text: String(Math.random()) }); },
  buffers: async () => {
    const all = [];
    for (;;) {
      all.push(new Uint8Array(20e6).fill(1));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  network: async (write) => {
    const reached = await fetch("http://127.0.0.1:1/").then(() => true, (error) => String(error));
    await write(line({ type: "text", text: String(reached), page: null, label: null }));
    await write(end);
  },
  much: async (write) => {
    for (let at = 0; at < 100; at++) await write(line({ type: "text", text: "x".repeat(20_000), page: at, label: null }));
    await write(end);
  },
  short: async (write) => write(new Uint8Array(10)),
  wait: async (write) => {
    await write(line({ type: "progress", done: 1, total: null }));
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
};
export default {
  async fetch(request) {
    if (request.url.endsWith("/ping")) return new Response("ok");
    const { filename } = JSON.parse(decodeURIComponent(request.headers.get("x-options")));
    // As the extractor does: an answer may be lost whose request was not read to its end.
    await request.arrayBuffer();
    const { readable, writable } = filename === "short" ? new FixedLengthStream(32) : new TransformStream();
    const writer = writable.getWriter();
    acts[filename]((bytes) => writer.write(bytes)).then(() => filename !== "short" && writer.close());
    return new Response(readable);
  },
};`;

let started: StartedExtractor | undefined;
afterEach(async () => {
  await started?.stop();
  started = undefined;
});

const limits = { cpuSeconds: 0.5, wallSeconds: 5, memory: 400e6 };
const start = async (options: StartOptions = {}) => (started = await startExtractor({ script, limits, ...options }));

/** Asks for one of the acts. @returns the events, and the error at their end */
async function read(act: string, { signal = new AbortController().signal, body = new Blob(["x"]) } = {}) {
  const events: ExtractEvent[] = [];
  const options = { filename: act, contentType: "", bytes: body.size, pictures: false, size: 1000, overlap: 0 };
  try {
    for await (const event of started!.extractor.extract(body.stream(), options, signal)) events.push(event);
  } catch (error) {
    if (error instanceof ExtractorLost) return { events, lost: error.reason };
    throw error;
  }
  return { events, lost: undefined };
}

const pids = () => started!.pool.processes.map(({ pid }) => pid);

test("a process starts when it is needed, at low priority, and serves one document after the other", async () => {
  await start();
  expect(pids()).toEqual([]);
  await expect(read("quick")).resolves.toMatchObject({ events: [{ type: "end" }], lost: undefined });
  const [pid] = pids();
  await read("quick");
  expect(pids()).toEqual([pid]);
  const niceness = Number(execFileSync("ps", ["-o", "ni=", "-p", String(pid)], { encoding: "utf8" }));
  expect(niceness - getPriority()).toBe(10);
});

test("a document that loops ends its process and says what it took; others do not notice", async () => {
  await start();
  await read("quick");
  const [looping, ...others] = await Promise.all([read("loop"), read("quick"), read("quick")]);
  expect(looping).toEqual({ events: [{ type: "progress", done: 1, total: null }], lost: "time" });
  for (const other of others) expect(other).toMatchObject({ events: [{ type: "end" }], lost: undefined });
  await expect(read("quick")).resolves.toMatchObject({ lost: undefined });
});

test("a document that eats memory ends its process, whichever kind of memory it is", async () => {
  await start({ v8Flags: ["--max-old-space-size=60"], limits: { ...limits, cpuSeconds: 30 } });
  await expect(read("heap")).resolves.toEqual({ events: [], lost: "memory" });
  await expect(read("buffers")).resolves.toEqual({ events: [], lost: "memory" });
  await expect(read("quick")).resolves.toMatchObject({ lost: undefined });
});

test("there is no network for what reads documents", async () => {
  await start();
  const { events } = await read("network");
  expect(events[0]).toMatchObject({ type: "text", text: expect.not.stringMatching(/^true|refused/i) as string });
});

test("a caller that goes away ends its process", async () => {
  await start();
  const caller = new AbortController();
  const reading = read("wait", { signal: caller.signal });
  while (pids().length === 0) await wait(10);
  const [process] = started!.pool.processes;
  await process!.ready;
  caller.abort();
  await expect(reading).resolves.toMatchObject({ lost: "time" });
  await expect(process!.ended).resolves.toBeUndefined();
  await expect(read("quick")).resolves.toMatchObject({ lost: undefined });
});

test("there are only so many processes; documents wait in their order, and may leave", async () => {
  await start({ maxProcesses: 1 });
  const first = new AbortController();
  const busy = read("wait", { signal: first.signal });
  while (pids().length === 0) await wait(10);
  const order: string[] = [];
  const leaver = new AbortController();
  const left = read("quick", { signal: leaver.signal }).then(({ lost }) => order.push(`left: ${lost}`));
  const second = read("quick").then(({ lost }) => order.push(`second: ${lost}`));
  leaver.abort();
  await left;
  expect(pids()).toHaveLength(1);
  first.abort();
  await Promise.all([busy, second]);
  expect(order).toEqual(["left: time", "second: undefined"]);
});

test("a reason is told also for what is not read to its end", { timeout: 60_000 }, async () => {
  started = await startExtractor();
  const body = new Blob([new Uint8Array(30e6)]);
  const failed = { events: [{ type: "failed", code: "file_unsupported" }], lost: undefined };
  await expect(read("zeros.bin", { body })).resolves.toMatchObject(failed);
  await expect(read("zeros.bin", { body })).resolves.toMatchObject(failed);
  expect(pids()).toHaveLength(1);
});

test("an answer arrives as a whole at whoever takes it slowly, and its process serves on", async () => {
  await start();
  const options = { filename: "much", contentType: "", bytes: 1, pictures: false, size: 1000, overlap: 0 };
  const slowly = async () => {
    const types: string[] = [];
    for await (const { type } of started!.extractor.extract(
      new Blob(["x"]).stream(),
      options,
      new AbortController().signal,
    )) {
      types.push(type);
      await wait(2);
    }
    return types;
  };
  await expect(slowly()).resolves.toEqual([...Array.from({ length: 100 }, () => "text"), "end"]);
  const [pid] = pids();
  await expect(slowly()).resolves.toHaveLength(101);
  await expect(read("quick")).resolves.toMatchObject({ lost: undefined });
  expect(pids()).toEqual([pid]);
});

test("an answer of known length breaks off with its process: nothing else takes the place of what is missing", async () => {
  const { fetcher, pool } = await start();
  const headers = { "x-options": JSON.stringify({ filename: "short" }) };
  const answer = await fetcher.fetch("http://extractor/x", { method: "POST", headers, body: "x" });
  const reader = answer.body!.getReader();
  expect((await reader.read()).value).toHaveLength(10);
  pool.processes[0]!.stop();
  await expect(reader.read()).rejects.toThrow();
});

test("processes end when nobody needs them", async () => {
  await start({ idleMs: 300 });
  await read("quick");
  await started!.pool.processes[0]!.ended;
  expect(pids()).toEqual([]);
  await expect(read("quick")).resolves.toMatchObject({ lost: undefined });
});

test("a process that has grown is replaced when nobody waits for it", async () => {
  await start({ maxProcesses: 1, maxIdleBytes: 1 });
  await read("quick");
  const [pid] = pids();
  await expect
    .poll(async () => {
      expect(await read("quick")).toMatchObject({ events: [{ type: "end" }], lost: undefined });
      return pids();
    })
    .not.toContain(pid);
});

test("when the extractor is built again, what was being read is lost, and what comes is read by the new one", async () => {
  await start();
  const reading = read("wait");
  while (pids().length === 0) await wait(10);
  await started!.pool.processes[0]!.ready;
  started!.pool.renew();
  await expect(reading).resolves.toMatchObject({ lost: "unreachable" });
  await expect(read("quick")).resolves.toMatchObject({ lost: undefined });
});
