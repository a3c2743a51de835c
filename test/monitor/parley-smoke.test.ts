import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { levelLine, main, runHealthLevels, toPrometheus } from "../../monitor/parley-smoke.mjs";
import { healthy, json, serve, type Handler } from "./fake-service.ts";

async function run(url: string, options: Partial<Parameters<typeof runHealthLevels>[0]> = {}) {
  const lines: string[] = [];
  const given = { url, key: "k", word: "pong", timeoutMs: 2000, ...options };
  const report = await runHealthLevels(given, (level) => lines.push(levelLine(level)));
  expect(errorsOf(report)).toEqual([]);
  return { level: report.failed_level ?? 0, lines, report };
}

describe("the health levels", () => {
  test("all pass with one line each and the time it took", async () => {
    const { level, lines } = await run(await serve(healthy));
    expect(level).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^level 1: ok, .*, \d+ ms$/),
      expect.stringMatching(/^level 2: ok, models are listed \(2 listed\), \d+ ms$/),
      expect.stringMatching(/^level 3: ok, a model answers \(first\), \d+ ms$/),
    ]);
  });

  test("level 3 asks the first model without randomness to repeat the word, with the key", async () => {
    let asked: { authorization: string | undefined; probe: unknown; body: unknown } | undefined;
    const url = await serve({
      ...healthy,
      "POST /api/chat/completions": (request, response, body) => {
        const { authorization, "x-parley-probe": probe } = request.headers;
        asked = { authorization, probe, body: JSON.parse(body) };
        json({ choices: [{ message: { content: "xyzzy" } }] })(request, response, body);
      },
    });
    expect((await run(url, { word: "Xyzzy" })).level).toBe(0);
    expect(asked).toEqual({
      authorization: "Bearer k",
      probe: "1",
      body: {
        model: "first",
        stream: false,
        temperature: 0,
        messages: [{ role: "user", content: expect.stringContaining("Xyzzy") }],
      },
    });
  });

  test("level 3 says that it is a probe, and how much the model may write", async () => {
    let asked: unknown;
    const url = await serve({
      ...healthy,
      "POST /api/chat/completions": (request, response, body) => {
        asked = JSON.parse(body);
        json({ choices: [{ finish_reason: "length", message: { content: "Let me" } }] })(request, response, body);
      },
    });
    const { level, lines } = await run(url, { maxTokens: 7 });
    expect(level).toBe(3);
    expect(lines[2]).toContain("a larger --max-tokens may help");
    expect(asked).toMatchObject({ max_tokens: 7 });
  });

  test("level 3 asks the model that was named", async () => {
    let model: unknown;
    const url = await serve({
      ...healthy,
      "POST /api/chat/completions": (request, response, body) => {
        ({ model } = JSON.parse(body) as { model: unknown });
        json({ choices: [{ message: { content: "pong" } }] })(request, response, body);
      },
    });
    expect((await run(url, { model: "second" })).level).toBe(0);
    expect(model).toBe("second");
  });

  test.each([
    [
      "a service that is not ready",
      1,
      { ...healthy, "GET /health": json({ reason: "schema_outdated" }, 503) },
      "schema_outdated",
    ],
    ["a refused key", 2, { ...healthy, "GET /api/models": json({ detail: "no such key" }, 401) }, "HTTP 401"],
    ["an empty model list", 2, { ...healthy, "GET /api/models": json({ data: [] }) }, "no model is listed"],
    ["a list in the wrong shape", 2, { ...healthy, "GET /api/models": json([]) }, "no array `data`"],
    [
      "a web page instead of JSON",
      2,
      { ...healthy, "GET /api/models": (_q: unknown, r: ServerResponse) => r.end("<html>") },
      "no array",
    ],
    [
      "an upstream that fails",
      3,
      { ...healthy, "POST /api/chat/completions": json({ error: { message: "overloaded" } }, 502) },
      "overloaded",
    ],
    [
      "another word",
      3,
      { ...healthy, "POST /api/chat/completions": json({ choices: [{ message: { content: "ping" } }] }) },
      '"ping"',
    ],
    ["an answer without a message", 3, { ...healthy, "POST /api/chat/completions": json(null) }, "no message"],
  ] as [string, number, Record<string, Handler>, string][])(
    "%s fails level %i and says why",
    async (_name, expected, routes, reason) => {
      const { level, lines } = await run(await serve(routes));
      expect(level).toBe(expected);
      expect(lines).toHaveLength(expected);
      expect(lines.at(-1)).toMatch(new RegExp(`^level ${expected}: FAILED, .*, \\d+ ms$`));
      expect(lines.at(-1)).toContain(reason);
    },
  );

  test("a service that is silent fails in time", async () => {
    const { level, lines } = await run(await serve({ ...healthy, "GET /health": () => undefined }), { timeoutMs: 100 });
    expect(level).toBe(1);
    expect(lines[0]).toContain("no answer within 0.1 s");
  });

  test("nobody listening fails level 1", async () => {
    const { level, lines } = await run("http://127.0.0.1:9");
    expect(level).toBe(1);
    expect(lines).toHaveLength(1);
  });
});

describe("the report", () => {
  test("has all levels, those too that were not asked", async () => {
    const url = await serve({ ...healthy, "GET /api/models": json({ data: [] }) });
    const { report } = await run(url);
    expect(report).toMatchObject({
      version: 1,
      url,
      ok: false,
      failed_level: 2,
      models: null,
      model: null,
      levels: [
        { level: 1, state: "ok", message: "HTTP 200" },
        { level: 2, state: "failed", message: expect.stringContaining("no model is listed") as unknown },
        { level: 3, state: "skipped", message: null, duration_ms: null },
      ],
    });
    const { report: short } = await run(url, { upTo: 1 });
    expect(short).toMatchObject({ ok: true, failed_level: null, levels: [{ state: "ok" }, {}, { state: "skipped" }] });
  });

  test("in the text format of Prometheus leaves out what is not known", async () => {
    const { report } = await run(await serve(healthy));
    const all = toPrometheus(report);
    expect(all.split("\n").filter((line) => line.startsWith("parley_smoke_level_ok"))).toHaveLength(3);
    expect(all).toContain(`parley_smoke_models{url="${report.url}"} 2\n`);
    const { report: down } = await run("http://127.0.0.1:9");
    const text = toPrometheus(down);
    expect(text).toContain('parley_smoke_ok{url="http://127.0.0.1:9"} 0\n');
    expect(text).toContain('parley_smoke_failed_level{url="http://127.0.0.1:9"} 1\n');
    expect(text).toContain('parley_smoke_level_ok{url="http://127.0.0.1:9",level="1"} 0\n');
    expect(text).not.toMatch(/level="2"|parley_smoke_models/);
    expect(text.endsWith("\n")).toBe(true);
  });

  test("is a valid text for any address", async () => {
    const { report } = await run("http://127.0.0.1:9");
    const sample = /^[a-z_]+\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+\} [\d.e+-]+$/u;
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (url) => {
        const lines = toPrometheus({ ...report, url })
          .split("\n")
          .slice(0, -1);
        for (const line of lines) expect(line.startsWith("# ") || sample.test(line)).toBe(true);
      }),
    );
  });
});

describe("the program", () => {
  let folder: string;
  let said: { out: string; error: string };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "parley-smoke-"));
    said = { out: "", error: "" };
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((said.out += String(text)), true));
    vi.spyOn(process.stderr, "write").mockImplementation((text) => ((said.error += String(text)), true));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const inFolder = (name: string) => path.join(folder, name);

  test("prints a line for each level, or the report as JSON", async () => {
    const url = await serve(healthy);
    expect(await main(["--url", `${url}/`, "--key", "k"])).toBe(0);
    expect(said.out.trim().split("\n")).toHaveLength(3);
    said.out = "";
    expect(await main(["--url", url, "--key", "k", "--word", "zebra", "--json"])).toBe(3);
    const report: unknown = JSON.parse(said.out);
    expect(errorsOf(report)).toEqual([]);
    expect(report).toMatchObject({ url, failed_level: 3, models: 2, model: "first" });
  });

  test("writes a file for a node exporter at once, and nothing beside it", async () => {
    const url = await serve(healthy);
    writeFileSync(inFolder("parley.prom"), "old");
    expect(await main(["--url", url, "--key", "k", "--prometheus", inFolder("parley.prom")])).toBe(0);
    expect(readFileSync(inFolder("parley.prom"), "utf8")).toContain("parley_smoke_ok");
    expect(readdirSync(folder)).toEqual(["parley.prom"]);
    expect(await main(["--url", url, "--key", "k", "--prometheus", inFolder("nowhere/parley.prom")])).toBe(74);
    expect(said.error).toContain("cannot write");
  });

  test("takes the key from a file, the environment or its arguments", async () => {
    const keys: unknown[] = [];
    const url = await serve({
      ...healthy,
      "GET /api/models": (request, response, body) => {
        keys.push(request.headers.authorization);
        json({ data: [{ id: "m" }] })(request, response, body);
      },
    });
    writeFileSync(inFolder("key"), "from-file\n");
    vi.stubEnv("PARLEY_KEY", "from-environment");
    vi.stubEnv("PARLEY_URL", url);
    await main(["--level", "2", "--key-file", inFolder("key")]);
    await main(["--level", "2"]);
    await main(["--level", "2", "--key", "from-argument"]);
    expect(keys).toEqual(["Bearer from-file", "Bearer from-environment", "Bearer from-argument"]);
    expect(await main(["--key-file", inFolder("nothing")])).toBe(74);
    expect(existsSync(inFolder("nothing"))).toBe(false);
  });

  test.each([
    ["--url", "nonsense"],
    ["--url", "ftp://127.0.0.1"],
    ["--timeout", "0"],
    ["--timeout", "soon"],
    ["--word", ""],
    ["--level", "4"],
    ["--max-tokens", "-1"],
    ["--max-tokens", "many"],
    ["--key", "a", "--key-file", "b"],
    ["--wrong"],
    ["stray"],
  ])("refuses %s %s with 64", async (...args) => {
    expect(await main(args)).toBe(64);
    expect(said.error).not.toBe("");
    expect(said.out).toBe("");
  });

  test("explains itself", async () => {
    expect(await main(["--help"])).toBe(0);
    expect(said.out).toContain("--prometheus FILE");
  });
});

const validator = new Validator(
  JSON.parse(readFileSync(path.resolve("monitor/report.schema.json"), "utf8")) as Record<string, unknown>,
  "2020-12",
  false,
);

/** What the schema of the report has against it. */
const errorsOf = (report: unknown) => validator.validate(report).errors;

describe("the schema of the report", () => {
  const level = (state: string, more: object = {}) => ({
    level: 1,
    name: "x",
    state,
    duration_ms: 1,
    message: "m",
    ...more,
  });
  const skipped = level("skipped", { duration_ms: null, message: null });
  const report = {
    version: 1,
    url: "https://parley.example",
    started_at: "2026-01-01T00:00:00.000Z",
    duration_ms: 3,
    ok: true,
    failed_level: null,
    models: 2,
    model: "m",
    levels: [level("ok"), skipped, skipped],
  };

  test("takes a report, also one with more fields", () => {
    expect(errorsOf({ ...report, more: 1 })).toEqual([]);
  });

  test.each([
    [{ version: 2 }],
    [{ url: "parley.example" }],
    [{ ok: false }],
    [{ failed_level: 1 }],
    [{ failed_level: 0, ok: false }],
    [{ models: 0 }],
    [{ levels: [] }],
    [{ levels: [level("ok"), skipped, level("skipped")] }],
    [{ levels: [level("ok"), skipped, level("ok", { message: null })] }],
    [{ started_at: 0 }],
  ])("does not take %j", (wrong) => {
    expect(errorsOf({ ...report, ...wrong })).not.toEqual([]);
  });
});
