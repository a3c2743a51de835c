import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quantile } from "../../scripts/bench/measure.ts";
import { type Parley, startParley } from "./start-parley.ts";

let parley: Parley;
let token: string;

interface Trial {
  ok: boolean;
  value: unknown;
  error: { code: string; message: string } | null;
  logs: { level: string; text: string }[];
  events: { type: string }[];
}

async function post<T>(address: string, body: unknown, as = token): Promise<{ status: number; body: T }> {
  const response = await fetch(`${parley.url}${address}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(as ? { authorization: `Bearer ${as}` } : {}) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as T };
}

async function createTool(id: string, content: string): Promise<void> {
  const { status, body } = await post("/api/v1/tools/create", { id, name: id, meta: { description: "" }, content });
  expect({ status, body }).toMatchObject({ status: 200 });
}

const tryTool = (id: string, method: string, args = {}, as = token) =>
  post<Trial>(`/api/v1/tools/id/${id}/try`, { method, args }, as);

/** Another administrator: what one person tries shares a process. */
async function signUpOther(): Promise<string> {
  const person = { name: "Grace", email: "grace@example.com", password: "correct horse battery staple" };
  const { body } = await post<{ id: string; token: string }>("/api/v1/auths/signup", person, "");
  await post(`/api/v1/users/${body.id}/update`, { role: "admin" });
  return body.token;
}

/** Processes of plugins, the idle ones too. */
const pluginProcesses = () => parley.processes().filter(({ command }) => /workerd serve .*\/p\d+\.sock/.test(command));

beforeAll(async () => {
  parley = await startParley();
  const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" };
  ({
    body: { token },
  } = await post<{ token: string }>("/api/v1/auths/signup", person));
});

afterAll(() => parley.stop());

describe("plugins of a started Parley", () => {
  it("cost no process until one is used", async () => {
    expect(pluginProcesses()).toEqual([]);
  });

  it("run, and say what they did", async () => {
    const content = `export class Tools {
      async hello(name: string, __event_emitter__) {
        await __event_emitter__({ type: "status", data: { description: "greeting", done: true } });
        console.log("greeted", name);
        return "Hello " + name;
      }
    }`;
    await createTool("greeter", content);
    expect(await tryTool("greeter", "hello", { name: "Ada" })).toMatchObject({
      status: 200,
      body: { ok: true, value: "Hello Ada", logs: [{ text: "greeted Ada" }], events: [{ type: "status" }] },
    });
    expect(pluginProcesses().length).toBeGreaterThan(0);
  });

  it("loop for ever 20 times, and nobody else notices", async () => {
    for (const id of ["loop_a", "loop_b", "loop_c"])
      await createTool(id, "export class Tools { spin() { for (;;); } }");
    const other = await signUpOther();
    const looping = Array.from({ length: 20 }, (_, n) => tryTool(`loop_${"abc"[n % 3]}`, "spin"));
    const over = new AbortController();
    const ended = Promise.all(looping).finally(() => over.abort());
    const times: number[] = [];
    const greetings: Trial[] = [];
    const failures: number[] = [];
    while (!over.signal.aborted) {
      const begin = performance.now();
      const { status } = await fetch(`${parley.url}/health`);
      times.push(performance.now() - begin);
      if (status !== 200) failures.push(status);
      if (times.length % 20 === 0) greetings.push((await tryTool("greeter", "hello", { name: "B" }, other)).body);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const codes = (await ended).map(({ body }) => body.error?.code);
    expect(codes.filter((code) => code !== "stopped" && code !== "paused")).toEqual([]);
    expect(failures).toEqual([]);
    expect(greetings.filter(({ value }) => value !== "Hello B")).toEqual([]);
    times.sort((a, b) => a - b);
    expect(times.length).toBeGreaterThan(50);
    // Measured alone it is a few milliseconds: `npm run bench -- --plugins`. Here other tests may take their share.
    expect(quantile(times, 0.99)).toBeLessThan(500);
  }, 120_000);

  it("are stopped when they eat memory, and their files are kept where the others are", async () => {
    await createTool(
      "eater",
      "export class Tools { eat() { const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1)) } }",
    );
    expect((await tryTool("eater", "eat")).body).toMatchObject({ ok: false, error: { code: "stopped" } });
    expect((await fetch(`${parley.url}/health`)).status).toBe(200);
  });

  it("have packages, whose bytes lie in the data folder", async () => {
    const { zipSync } = await import("fflate");
    const text = (words: string) => new TextEncoder().encode(words);
    const wheel = zipSync({
      "demo/__init__.py": text("x = 1"),
      "demo-1.0.dist-info/METADATA": text("Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n"),
      "demo-1.0.dist-info/WHEEL": text("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
      "demo-1.0.dist-info/RECORD": text(""),
    });
    const form = new FormData();
    form.append("file", new Blob([wheel as Uint8Array<ArrayBuffer>]), "demo-1.0-py3-none-any.whl");
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${parley.url}/api/v1/plugins/packages`, { method: "POST", headers, body: form });
    expect(response.status).toBe(200);
    const bucket = path.join(parley.dataDir, "state/r2");
    const files = readdirSync(bucket, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
  });

  it("leave no process behind when the launcher is killed", async () => {
    const before = pluginProcesses();
    expect(before.length).toBeGreaterThan(0);
    const looping = tryTool("loop_a", "spin").catch(() => undefined);
    await parley.kill9();
    await expect
      .poll(
        () => {
          const running = execFileSync("ps", ["-A", "-o", "pid="], { encoding: "utf8" });
          const ids = new Set(running.split("\n").map(Number));
          return before.filter(({ pid }) => ids.has(pid)).length;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
    await looping;
  });
});
