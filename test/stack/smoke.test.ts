import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "./start-parley.ts";

const root = path.resolve(import.meta.dirname, "../..");
let upstream: Server;
let parley: Parley;
let token: string;

beforeAll(async () => {
  // A provider that repeats the last word it was told.
  upstream = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const json = (value: object) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
      if (request.url === "/v1/models") return json({ object: "list", data: [{ id: "parrot", object: "model" }] });
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const content = messages.at(-1)?.content.split(" ").at(-1) ?? "";
      const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
      return json({ id: "c1", object: "chat.completion", created: 1, model: "parrot", choices: [choice] });
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: base, OPENAI_API_KEYS: "sk-parrot" } });
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "correct horse battery staple" }),
  });
  ({ token } = (await response.json()) as { token: string });
});
afterAll(async () => {
  await parley.stop();
  upstream.closeAllConnections();
  upstream.close();
});

function smoke(...args: string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    const command = [path.join(root, "scripts/smoke.ts"), "--url", parley.url, ...args];
    const child = execFile(process.execPath, command, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, lines: stdout.trim().split("\n") }),
    );
  });
}

test("the three levels pass on a service that works, and the exit code is the first that does not", async () => {
  const healthy = await smoke("--key", token, "--word", "zebra");
  expect(healthy.lines).toHaveLength(3);
  expect(healthy).toMatchObject({
    code: 0,
    lines: [/ok/, /ok/, /ok/].map((ok) => expect.stringMatching(ok) as string),
  });
  expect(await smoke("--key", "wrong")).toMatchObject({ code: 2 });
  expect(await smoke("--key", token, "--model", "unheard-of")).toMatchObject({ code: 3 });
  expect(await smoke("--url", "http://127.0.0.1:9", "--key", token)).toMatchObject({ code: 1 });
  expect(await smoke("--url", "nonsense")).toMatchObject({ code: 64 });
});
