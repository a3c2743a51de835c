import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StartedRunner, startRunner, token as shared, whyNoPython } from "../plugins/native/start-runner.ts";
import { type Parley, startParley } from "./start-parley.ts";

const missing = whyNoPython();
let runner: StartedRunner;
let parley: Parley;
let key = "";

interface Body {
  [name: string]: unknown;
}

async function call(path: string, json?: unknown) {
  const response = await fetch(parley.url + path, {
    method: json === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Body };
}

const pipe = `"""
title: Echo of a process
"""
import asyncio
import subprocess

class Pipe:
    async def pipe(self, body: dict, __event_emitter__=None):
        await __event_emitter__({"type": "status", "data": {"description": "starting", "done": True}})
        said = subprocess.run(["/bin/echo", body["messages"][-1]["content"]], capture_output=True, text=True).stdout
        for word in said.split():
            await asyncio.sleep(0)
            yield word + " "
`;
const tool = `import os
import urllib.request

class Tools:
    def who(self, __user__=None) -> str:
        """Who asks, and what the process sees."""
        return __user__["name"] + " " + str(sorted(name for name in os.environ if "TOKEN" in name or "SECRET" in name))

    def fetch(self, address: str) -> str:
        return urllib.request.urlopen(address, timeout=10).read().decode()
`;

describe.skipIf(missing)(`a started service with a native runner${missing}`, () => {
  beforeAll(async () => {
    runner = await startRunner();
    parley = await startParley({ env: { RUNNERS: runner.address, RUNNER_TOKEN: shared } });
    const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse battery staple" };
    key = String((await call("/api/v1/auths/signup", account)).body["token"]);
  });
  afterAll(async () => {
    await parley?.stop();
    await runner?.stop();
  });

  test("runs a pipe there that starts processes, word by word, in a chat completion", async () => {
    const draft = { id: "process_echo", name: "Process", content: pipe, runner: runner.address };
    expect(await call("/api/v1/functions/create", draft)).toMatchObject({
      status: 200,
      body: { runner: runner.address, type: "pipe" },
    });
    expect((await call("/api/v1/functions/id/process_echo/toggle", {})).status).toBe(200);
    const messages = [{ role: "user", content: "three small words" }];
    const answer = await call("/api/chat/completions", { model: "process_echo", stream: true, messages });
    const words = [...answer.text.matchAll(/"content":"([^"]+)"/g)].map(([, word]) => word);
    expect(words.join("")).toBe("three small words ");
  });

  test("runs a tool there with the person's name, without anything of the service, and only with listed hosts", async () => {
    const draft = { id: "native", name: "Native", content: tool, runner: runner.address };
    expect((await call("/api/v1/tools/create", draft)).status).toBe(200);
    const tried = await call("/api/v1/tools/id/native/try", { method: "who" });
    expect(tried.body).toMatchObject({ ok: true, value: "Grace []" });
    const fetched = await call("/api/v1/tools/id/native/try", {
      method: "fetch",
      args: { address: `${parley.url}/health` },
    });
    const host = new URL(parley.url).host;
    expect(fetched.body).toMatchObject({
      ok: false,
      error: { message: `HTTP Error 403: This plugin is not allowed to reach ${host}` },
    });
  });

  test("lists the runner, and says so where it has gone", async () => {
    const list = JSON.parse((await call("/api/v1/plugins/runners")).text) as Body[];
    expect(list).toEqual([expect.objectContaining({ address: runner.address, attached: true, problem: null })]);
    await runner.stop();
    const tried = await call("/api/v1/tools/id/native/try", { method: "who" });
    const message = "Its native runner cannot be reached";
    expect(tried.body).toMatchObject({ ok: false, error: { code: "unavailable", message } });
    expect(parley.output).not.toContain(shared);
  });
});
