import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { Validator } from "@cfworker/json-schema";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { healthy, json, serve } from "../monitor/fake-service.ts";

/*
 * The files for monitors as they are handed out: each alone in a folder, run as a program.
 */

const root = path.resolve(import.meta.dirname, "../..");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-kit-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Ran {
  code: number;
  out: string;
  error: string;
}

/** Nothing of the checkout is within reach, and nothing of this process's environment. */
function run(file: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { cwd: folder, env: { PATH: process.env["PATH"] ?? "", TMPDIR: folder, ...env } },
      (_error, out, error) => resolve({ code: child.exitCode ?? -1, out, error }),
    );
  });
}

const copy = (name: string) => copyFileSync(path.join(root, "monitor", name), path.join(folder, name));

describe("parley-smoke.mjs", () => {
  const smoke = (args: string[], env?: Record<string, string>) =>
    run(process.execPath, ["parley-smoke.mjs", ...args], env);
  beforeEach(() => copy("parley-smoke.mjs"));

  test("runs in a folder that holds nothing else, and its JSON fits its schema", async () => {
    const { code, out } = await smoke(["--url", await serve(healthy), "--json"], { PARLEY_KEY: "k" });
    expect(code).toBe(0);
    const schema = JSON.parse(readFileSync(path.join(root, "monitor/report.schema.json"), "utf8")) as object;
    expect(new Validator(schema, "2020-12", false).validate(JSON.parse(out)).errors).toEqual([]);
    expect(readdirSync(folder)).toEqual(["parley-smoke.mjs"]);
  });

  test("ends with the level that failed, in time", async () => {
    const url = await serve({ ...healthy, "GET /api/models": () => undefined });
    const { code, out } = await smoke(["--url", url, "--timeout", "5"]);
    expect(code).toBe(2);
    expect(out).toContain("no answer within 5 s");
  });

  test("is a package with a program of its own", async () => {
    const described = JSON.parse(readFileSync(path.join(root, "monitor/package.json"), "utf8")) as {
      bin: string;
      files: string[];
      dependencies?: object;
    };
    expect(described.dependencies).toBeUndefined();
    for (const file of [described.bin, ...described.files])
      expect(existsSync(path.join(root, "monitor", file))).toBe(true);
    // npx starts it by its first line.
    chmodSync(path.join(folder, "parley-smoke.mjs"), 0o755);
    const { code } = await run(path.join(folder, "parley-smoke.mjs"), ["--help"], {
      PATH: `${path.dirname(process.execPath)}:${process.env["PATH"]}`,
    });
    expect(code).toBe(0);
  });
});

describe("parley-smoke.sh", () => {
  const smoke = (args: string[], env: Record<string, string> = { PARLEY_KEY: "k" }) =>
    run("sh", ["parley-smoke.sh", ...args], env);
  beforeEach(() => copy("parley-smoke.sh"));
  const lines = ({ out }: Ran) => out.trim().split("\n");

  test("prints the same lines as the other, and leaves nothing behind", async () => {
    const ran = await smoke(["--url", `${await serve(healthy)}/`]);
    expect(ran).toMatchObject({ code: 0, error: "" });
    expect(lines(ran)).toEqual([
      expect.stringMatching(/^level 1: ok, the service is up \(HTTP 200\), \d+ ms$/),
      expect.stringMatching(/^level 2: ok, models are listed \(2 listed\), \d+ ms$/),
      expect.stringMatching(/^level 3: ok, a model answers \(first\), \d+ ms$/),
    ]);
    expect(readdirSync(folder)).toEqual(["parley-smoke.sh"]);
  });

  test("asks as it was told, with the key, and marks the question as a probe", async () => {
    let asked: unknown;
    const url = await serve({
      ...healthy,
      "POST /api/chat/completions": (request, response, body) => {
        const { authorization, "x-parley-probe": probe } = request.headers;
        asked = { authorization, probe, ...(JSON.parse(body) as object) };
        json({ choices: [{ message: { content: 'say "zebra"' } }] })(request, response, body);
      },
    });
    const key = String.raw`k"e\y`;
    writeFileSync(path.join(folder, "key"), `${key}\n`);
    const args = ["--url", url, "--key-file", "key", "--model", 'a "b" \\c', "--word", "Zebra", "--max-tokens", "9"];
    expect(await smoke(args, {})).toMatchObject({ code: 0 });
    expect(asked).toEqual({
      authorization: `Bearer ${key}`,
      probe: "1",
      model: 'a "b" \\c',
      stream: false,
      temperature: 0,
      max_tokens: 9,
      messages: [{ role: "user", content: "Reply with this one word and nothing else: Zebra" }],
    });
  });

  test("reads JSON whatever it looks like", async () => {
    const models = {
      object: "list",
      note: 'a ] and a } and an escaped " and a \\',
      data: [
        { owned_by: "x", nested: [[], {}, [{ id: "inner" }], null, -1.5e3, true], id: "the\u00e9-first/one" },
        { id: "second" },
        { id: "third" },
      ],
    };
    const reply = {
      usage: { content: 1 },
      choices: [{ index: 0, message: { role: "assistant", content: 'Line\n"pong"' } }],
    };
    for (const space of [0, 2, "\t"]) {
      const spaced = (value: unknown) => JSON.stringify(value, null, space);
      const url = await serve({
        ...healthy,
        "GET /api/models": (_request, response) => response.end(spaced(models)),
        "POST /api/chat/completions": (_request, response) => response.end(spaced(reply)),
      });
      const ran = await smoke(["--url", url]);
      expect([ran.code, lines(ran)[1]]).toEqual([0, expect.stringContaining("(3 listed)")]);
    }
  });

  test("reads a long list of models", async () => {
    const data = Array.from({ length: 500 }, (_, at) => ({
      id: `model-${at}`,
      info: { description: "words ".repeat(100) },
    }));
    const ran = await smoke(["--url", await serve({ ...healthy, "GET /api/models": json({ data }) })]);
    expect(lines(ran)[1]).toContain("(500 listed)");
    expect(lines(ran)[2]).toContain("(model-0)");
  });

  test.each([
    ["a service that is not ready", 1, { "GET /health": json({ reason: "schema_outdated" }, 503) }, "schema_outdated"],
    ["a refused key", 2, { "GET /api/models": json({ detail: "no such key" }, 401) }, "HTTP 401"],
    ["an empty list", 2, { "GET /api/models": json({ data: [] }) }, "no model is listed"],
    ["a list in the wrong shape", 2, { "GET /api/models": json({ data: { id: "x" } }) }, "no array"],
    ["something that is no JSON", 2, { "GET /api/models": json("<html>[{") }, "no array"],
    [
      "a model that fails",
      3,
      { "POST /api/chat/completions": json({ error: { message: "overloaded" } }, 502) },
      "overloaded",
    ],
    [
      "another word",
      3,
      { "POST /api/chat/completions": json({ choices: [{ message: { content: "ping" } }] }) },
      '"ping"',
    ],
    ["no message", 3, { "POST /api/chat/completions": json(null) }, "does not contain"],
  ] as const)("%s fails level %i and says why", async (_name, level, routes, reason) => {
    const ran = await smoke(["--url", await serve({ ...healthy, ...routes })]);
    expect(ran.code).toBe(level);
    expect(lines(ran)).toHaveLength(level);
    expect(lines(ran).at(-1)).toMatch(new RegExp(`^level ${level}: FAILED, .*, \\d+ ms$`));
    expect(lines(ran).at(-1)).toContain(reason);
  });

  test("stops in time, and where nobody listens", async () => {
    const ran = await smoke(["--url", await serve({ "GET /health": () => undefined }), "--timeout", "1"]);
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining("no answer within 1 s")]);
    expect((await smoke(["--url", "http://127.0.0.1:9"])).code).toBe(1);
    expect((await smoke(["--url", await serve({ "GET /health": json({}) }), "--level", "1"])).code).toBe(0);
  });

  test.each([
    [["--url", "nonsense"]],
    [["--timeout", "0"]],
    [["--word", ""]],
    [["--level", "4"]],
    [["--url"]],
    [["--wrong"]],
  ])("refuses %j with 64", async (args) => {
    expect(await smoke(args)).toMatchObject({ code: 64, out: "" });
  });
});
