import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { runHealthLevels } from "../../scripts/smoke/health-levels.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A service that answers as told, and 404 otherwise. */
async function serve(routes: Record<string, Handler>): Promise<string> {
  const started = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const handler = routes[`${request.method} ${request.url}`];
      if (handler) handler(request, response, body);
      else response.writeHead(404).end();
    });
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

const json =
  (value: unknown, status = 200): Handler =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

const healthy = {
  "GET /health": json({ status: true }),
  "GET /api/models": json({ data: [{ id: "first" }, { id: "second" }] }),
  "POST /api/chat/completions": json({ choices: [{ message: { content: "Pong." } }] }),
};

async function run(url: string, options: { model?: string; word?: string; timeoutMs?: number } = {}) {
  const lines: string[] = [];
  const level = await runHealthLevels({ url, key: "k", word: "pong", timeoutMs: 2000, ...options }, (line) =>
    lines.push(line),
  );
  return { level, lines };
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
    let asked: { authorization: string | undefined; body: unknown } | undefined;
    const url = await serve({
      ...healthy,
      "POST /api/chat/completions": (request, response, body) => {
        asked = { authorization: request.headers.authorization, body: JSON.parse(body) };
        json({ choices: [{ message: { content: "xyzzy" } }] })(request, response, body);
      },
    });
    expect((await run(url, { word: "Xyzzy" })).level).toBe(0);
    expect(asked).toEqual({
      authorization: "Bearer k",
      body: {
        model: "first",
        stream: false,
        temperature: 0,
        messages: [{ role: "user", content: expect.stringContaining("Xyzzy") }],
      },
    });
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
