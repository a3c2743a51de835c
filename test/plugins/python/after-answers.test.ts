import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PluginAfterwards, PluginLog } from "../../../src/plugins/plugin-host.ts";
import { type PythonHost, type PythonOptions, startPythonHost } from "./python-host.ts";

let host: PythonHost;
beforeAll(async () => {
  host = await startPythonHost();
}, 120_000);
afterAll(() => host.stop());

const source = `import asyncio, sqlite3, threading, time

class Tools:
    def __init__(self):
        self.steps = []

    async def later(self, __event_emitter__, __user__) -> str:
        async def work():
            await asyncio.sleep(0.7)
            await __event_emitter__({"type": "status", "data": {"description": "later"}})
            asyncio.create_task(self.last(__event_emitter__))
        asyncio.create_task(work())
        return "at once"

    async def last(self, emit):
        await asyncio.sleep(0.2)
        await emit({"type": "status", "data": {"description": "last"}})
        self.steps.append("last")

    def thread(self, __event_emitter__) -> str:
        def work():
            time.sleep(0.7)
            asyncio.run(__event_emitter__({"type": "status", "data": {"description": "thread"}}))
        threading.Thread(target=work).start()
        return "at once"

    async def endless(self, __event_emitter__) -> str:
        async def work():
            try:
                while True:
                    await __event_emitter__({"type": "status", "data": {"description": "again"}})
                    await asyncio.sleep(0.05)
            finally:
                self.steps.append("tidied up")
        asyncio.create_task(work())
        return "at once"

    async def stubborn(self) -> str:
        async def work():
            while True:
                try:
                    await asyncio.sleep(0.05)
                except asyncio.CancelledError:
                    pass
        asyncio.create_task(work())
        return "at once"

    async def stuck(self) -> str:
        async def work():
            await asyncio.sleep(0.1)
            while True:
                pass
        asyncio.create_task(work())
        return "at once"

    async def many(self, count: int) -> int:
        for _ in range(count):
            asyncio.create_task(asyncio.sleep(60))
        return count

    async def stores(self) -> str:
        with sqlite3.connect("/app/backend/data/a.db") as db:
            db.execute("CREATE TABLE IF NOT EXISTS t (x)")
        async def work():
            await asyncio.sleep(0.2)
            with sqlite3.connect("/app/backend/data/a.db") as db:
                db.execute("INSERT INTO t VALUES (1)")
        asyncio.create_task(work())
        return "at once"

    async def borrows(self, __event_emitter__) -> str:
        self.kept = __event_emitter__
        return "kept"

    async def uses_borrowed(self) -> str:
        async def work():
            try:
                await self.kept({"type": "status", "data": {"description": "of another"}})
            except RuntimeError as error:
                self.steps.append(str(error))
        asyncio.create_task(work())
        return "at once"

    def seen(self) -> list:
        return self.steps
`;

/** An isolate of its own, and what its calls leave behind. */
function begin(options: { limitMs?: number; check?: () => Promise<void>; on?: PythonHost } = {}) {
  const fingerprint = randomUUID();
  const rests: { durationMs: number; logs: PluginLog[] }[] = [];
  const descriptions: string[] = [];
  const afterwards: PluginAfterwards = {
    limitMs: options.limitMs ?? 20_000,
    check: options.check ?? (async () => undefined),
    ended: (rest) => void rests.push(rest),
  };
  const onEvent = (event: unknown) =>
    void descriptions.push((event as { data: { description: string } }).data.description);
  const call = (method: string, args = {}, more: PythonOptions = {}) =>
    (options.on ?? host).call(source, method, args, { fingerprint, afterwards, onEvent, ...more });
  return { call, rests, descriptions };
}

it("answers at once, and goes on with what a function has left running", async () => {
  const { call, rests, descriptions } = begin();
  await call("seen");
  expect(await call("later")).toMatchObject({ ok: true, value: "at once", events: [] });
  expect(await call("thread")).toMatchObject({ ok: true, value: "at once" });
  await expect.poll(() => descriptions.toSorted()).toEqual(["last", "later", "thread"]);
  await expect.poll(() => rests).toHaveLength(2);
  expect(rests.flatMap(({ logs }) => logs)).toEqual([]);
  expect(rests[0]!.durationMs).toBeGreaterThan(500);
  expect(await call("seen")).toMatchObject({ value: ["last"] });
});

it("keeps what belongs before the answer before it, where nothing may go on", async () => {
  const { call } = begin();
  const result = await call("later", {}, { afterwards: undefined });
  expect(result).toMatchObject({ ok: true, value: "at once", events: [] });
  expect(result.logs).toMatchObject([
    { level: "warning", text: expect.stringMatching(/still running 0.5 s/) as string },
  ]);
});

it("ends what would never end, with time to tidy up", async () => {
  const { call, rests, descriptions } = begin({ limitMs: 3000 });
  expect(await call("endless")).toMatchObject({ ok: true, value: "at once" });
  await expect.poll(() => rests).toHaveLength(1);
  expect(rests[0]).toMatchObject({
    logs: [
      { level: "warning", text: "1 task or thread was still running 2 s after the answer, and ended with the call" },
    ],
  });
  expect(rests[0]!.durationMs).toBeLessThan(15_000);
  expect(descriptions.length).toBeGreaterThan(1);
  expect(await call("seen")).toMatchObject({ value: ["tidied up"] });
});

it("lets go of what ignores that it is ended, and the isolate goes on", async () => {
  const { call, rests } = begin({ limitMs: 1000 });
  expect(await call("stubborn")).toMatchObject({ ok: true });
  await expect.poll(() => rests).toHaveLength(1);
  expect(await call("seen")).toMatchObject({ ok: true, value: [] });
});

it("asks before each event whether it still may, and ends where it may not", async () => {
  let mayGoOn = true;
  const check = async () => {
    if (!mayGoOn) throw new Error("Ada has left");
  };
  const { call, rests, descriptions } = begin({ check });
  expect(await call("endless")).toMatchObject({ ok: true });
  await expect.poll(() => descriptions.length).toBeGreaterThan(2);
  mayGoOn = false;
  const count = descriptions.length;
  await expect.poll(() => rests).toHaveLength(1);
  expect(descriptions.length).toBeLessThanOrEqual(count + 1);
  expect(rests[0]!.logs).toMatchObject([{ text: "What was left running after the answer was ended: Ada has left" }]);
  await expect.poll(async () => (await call("seen")) as unknown).toMatchObject({ value: ["tidied up"] });
});

it("ends what asks for nothing too, when it may not go on", async () => {
  const { call, rests } = begin({ check: () => Promise.reject(new Error("It was switched off")) });
  expect(await call("many", { count: 3 })).toMatchObject({ ok: true, value: 3 });
  await expect.poll(() => rests).toHaveLength(1);
  expect(rests[0]!.durationMs).toBeLessThan(15_000);
});

it("lets a few calls go on at a time, and never stays without an answer", async () => {
  const { call, rests } = begin();
  await call("seen");
  const results = await Promise.all(Array.from({ length: 25 }, () => call("many", { count: 2 })));
  expect(results.every(({ ok }) => ok)).toBe(true);
  const ended = results.flatMap(({ logs }) => logs).filter(({ text }) => text.includes("still running 0.5 s"));
  expect(ended).toHaveLength(5);
  expect(rests).toHaveLength(0);
});

it("stops a process whose task takes it over, and tells that it has ended", async () => {
  const other = await startPythonHost("", { cpuSeconds: 5 });
  try {
    const { call, rests } = begin({ limitMs: 60_000, on: other });
    expect(await call("stuck")).toMatchObject({ ok: true, value: "at once" });
    await expect.poll(() => rests).toHaveLength(1);
    await expect.poll(async () => (await call("seen")) as unknown).toMatchObject({ ok: true, value: [] });
  } finally {
    await other.stop();
  }
}, 120_000);

it("stores databases before the answer and after the rest", async () => {
  const { call, rests } = begin();
  const saved: number[] = [];
  const rights = {
    "database.list": () => [],
    "database.load": () => null,
    "database.save": ({ base }: { base: number }) => {
      saved.push(base);
      return { version: base + 1 };
    },
  };
  expect(await call("stores", {}, { rights })).toMatchObject({ ok: true });
  expect(saved).toEqual([0]);
  await expect.poll(() => rests).toHaveLength(1);
  expect(saved).toEqual([0, 1]);
});

it("does not serve a task with the rights of another call", async () => {
  const { call, rests, descriptions } = begin();
  await call("borrows");
  await call("uses_borrowed");
  await expect
    .poll(async () => (await call("seen")) as unknown)
    .toMatchObject({
      value: ["This call has ended, and so have its permissions"],
    });
  expect(descriptions).toEqual([]);
  expect(rests.length).toBeLessThanOrEqual(1);
});
