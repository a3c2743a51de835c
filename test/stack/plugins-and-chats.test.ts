import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quantile } from "../../scripts/bench/measure.ts";
import type { ChatResponse, WireMessage } from "../../src/chat/conversations/schema.ts";
import { lastQuestion, type ScriptedUpstream, startScriptedUpstream } from "../fixtures/upstreams/scripted-upstream.ts";
import { makeWheel } from "../plugins/wheels.ts";
import { type Parley, startParley } from "./start-parley.ts";

/** What plugins do to others: nothing. Chats, the service's health, and what is stored, while plugins loop, die, or are killed. */

const loop = `"""
title: Loop
"""
class Pipe:
    def pipe(self, body: dict):
        while True:
            pass
`;
/** Comes back to its event loop all the time, so that nothing looks stuck. */
const politeLoop = `"""
title: Polite loop
"""
import asyncio

class Pipe:
    async def pipe(self, body: dict):
        while True:
            await asyncio.sleep(0)
`;
const chatterLoop = `"""
title: Chatter
"""
class Pipe:
    async def pipe(self, body: dict, __event_emitter__):
        await __event_emitter__({"type": "status", "data": {"description": "Talking", "done": False}})
        yield "I begin. "
        while True:
            await __event_emitter__({"type": "notification", "data": {"type": "info", "content": "Still at it"}})
`;
const sleeper = `"""
title: Sleeper
"""
import asyncio

class Pipe:
    async def pipe(self, body: dict, __event_emitter__, __task__=None):
        if __task__ or "wake" in body["messages"][-1]["content"]:
            yield "Awake"
            return
        await __event_emitter__({"type": "status", "data": {"description": "Asleep", "done": False}})
        yield "Good night. "
        await asyncio.sleep(600)
`;
const numbers = `"""
title: Numbers
requirements: harbour-numbers
"""
from harbour_numbers import double
from pydantic import BaseModel, Field

class Pipe:
    class Valves(BaseModel):
        base: int = Field(default=1, description="What is doubled")
        secret: str = ""

    def __init__(self):
        self.valves = self.Valves()

    def pipe(self, body: dict) -> str:
        return f"{double(self.valves.base)} {self.valves.secret}"
`;
/** What the peer lets plugins have: its environment, its files, its network, its processes. */
const burglar = `"""
title: Burglar
"""
import importlib
import os

class Pipe:
    async def pipe(self, body: dict, __task__=None):
        said = body["messages"][-1]["content"].split(" ")
        url, folder = said[0], said[1]
        found = []
        def look(what, how):
            try:
                got = how()
            except BaseException as error:
                return
            found.append(f"{what}: {got}")
        look("environment", lambda: [name for name in ("DATA", "PORT", "OPENAI_API_KEYS") if name in os.environ] or 1 / 0)
        for path in ("/etc/passwd", "/proc/self/environ", folder, folder + "/secrets.json", "/proc/1/cmdline"):
            look(path, lambda: open(path).read(20) if not os.path.isdir(path) else os.listdir(path))
        def fetch():
            import urllib.request
            return urllib.request.urlopen(url + "/health").read(20)
        look("network", fetch)
        def connect():
            import socket
            socket.create_connection(("127.0.0.1", int(url.split(":")[-1])), 2)
            return "connected"
        look("socket", connect)
        def run():
            import subprocess
            return subprocess.check_output(["id"])
        look("process", run)
        def script():
            return importlib.import_module("js").fetch
        look("host globals", script)
        def script_again():
            return importlib.import_module("pyodide.code").run_js("globalThis.process || globalThis.fetch('" + url + "/health')")
        look("host code", script_again)
        return "Found: " + "; ".join(found)
`;

let upstream: ScriptedUpstream;
let parley: Parley;
/** Of the administrator, and of somebody who only chats. */
let admin: string;
let guest: string;

async function send(path: string, json?: unknown, token = admin, method?: string): Promise<Response> {
  return fetch(parley.url + path, {
    method: method ?? (json === undefined ? "GET" : "POST"),
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
}
async function call<T = Record<string, unknown>>(path: string, json?: unknown, token = admin): Promise<T> {
  const response = await send(path, json, token);
  const body = (await response.json()) as T;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}
async function install(id: string, content: string, token = admin): Promise<void> {
  await call("/api/v1/functions/create", { id, name: id, content, meta: {} }, token);
  await call(`/api/v1/functions/id/${id}/toggle`, {}, token);
}
/** Plugins of one owner share a process, so what has to be spared by loops belongs to somebody else. */
async function signUpAdministrator(name: string): Promise<string> {
  const token = await signUp(name);
  const { id } = await call<{ id: string }>("/api/v1/auths/", undefined, token);
  await call(`/api/v1/users/${id}/update`, { role: "admin" });
  return token;
}
async function signUp(name: string): Promise<string> {
  const account = { name, email: `${name.toLowerCase()}@harbour.example`, password: "correct horse battery staple" };
  return String((await call("/api/v1/auths/signup", account, ""))["token"]);
}

/** A turn as the web UI starts it. */
async function startTurn(model: string, text: string, token = admin): Promise<string> {
  const turn = { model, session_id: "s", id: crypto.randomUUID(), parent_id: null };
  const started = await call<{ chat_id: string }>(
    "/api/chat/completions",
    { ...turn, user_message: { id: crypto.randomUUID(), content: text } },
    token,
  );
  return started.chat_id;
}
async function answerOf(chat: string, token = admin): Promise<WireMessage> {
  const { history } = (await call<ChatResponse>(`/api/v1/chats/${chat}`, undefined, token)).chat;
  return Object.values(history.messages).find(({ role }) => role === "assistant")!;
}
/** Looks seldom, so that it is not a load itself. */
const ended = (chat: string) =>
  expect
    .poll(async () => (await answerOf(chat)).state, { timeout: 90_000, interval: 1000 })
    .toMatch(/^(?:done|error|interrupted|stopped)$/u);

/** Says something to a model without plugins, as the API does. */
async function chatPlainly(stream: boolean): Promise<void> {
  const asked = { model: "parrot", stream, messages: [{ role: "user", content: "ahoy" }] };
  const response = await send("/api/chat/completions", asked, guest);
  const text = await response.text();
  if (response.status !== 200 || !text.includes("ahoy")) throw new Error(`${response.status} ${text}`);
}

/** Does it again and again until something else is over; milliseconds of each, sorted. */
async function measureUntil(over: Promise<unknown>, pause: number, act: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const watch = over.finally(() => (isOver = true));
  watch.catch(() => undefined);
  for (;;) {
    if (isOver) break;
    const begin = performance.now();
    await act();
    times.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return times.toSorted((a, b) => a - b);
}

/** What others than those who call plugins do, all at once. */
function measureOthers(until: Promise<unknown>): Promise<number[][]> {
  return Promise.all([
    measureUntil(until, 10, async () => {
      const response = await fetch(`${parley.url}/health`);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`/health answered ${response.status}`);
    }),
    measureUntil(until, 50, () => chatPlainly(false)),
    measureUntil(until, 50, () => chatPlainly(true)),
    measureUntil(until, 200, async () => {
      const chat = await startTurn("parrot", "ahoy", guest);
      await expect
        .poll(async () => (await answerOf(chat, guest)).state, { timeout: 20_000, interval: 10 })
        .toBe("done");
    }),
  ]);
}

function tellAll(when: string, measured: number[][]): void {
  for (const [at, name] of ["/health", "whole answers", "streamed answers", "turns in stored chats"].entries()) {
    const times = measured[at]!;
    const [median, most] = [quantile(times, 0.5).toFixed(1), quantile(times, 0.99).toFixed(1)];
    console.info(`${when}, ${name}: ${times.length} times, median ${median} ms, 99 of 100 within ${most} ms`);
  }
}

const pluginProcesses = () => parley.processes().filter(({ command }) => /workerd serve .*\/p\d+\.sock/u.test(command));

beforeAll(async () => {
  upstream = await startScriptedUpstream({ parrot: (request) => ({ content: lastQuestion(request) }) });
  parley = await startParley({
    env: {
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: "sk-upstream",
      DEFAULT_USER_ROLE: "user",
    },
  });
  admin = await signUp("Grace");
  guest = await signUp("Ada");
  for (const id of ["loop_a", "loop_b", "loop_c"]) await install(id, loop);
  const other = await signUpAdministrator("Nia");
  await install("polite_loop", politeLoop, other);
  await install("chatter", chatterLoop, other);
  await install("sleeper", sleeper);
  await install("burglar", burglar);
});
afterAll(async () => {
  await parley?.stop();
  await upstream?.close();
});

test("a pipe that looks for the environment, files, network, processes and the host finds none of them", async () => {
  const content = `${parley.url} ${parley.dataDir}`;
  const answer = await call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
    model: "burglar",
    messages: [{ role: "user", content }],
  });
  expect(answer.choices[0]!.message.content).toBe("Found: ");
});

test("three loops and ten more calls of one that loops: health and chats of others do not notice", async () => {
  tellAll("Before", await measureOthers(new Promise((resolve) => setTimeout(resolve, 2000))));
  const running = (async () => {
    const loops = await Promise.all(["loop_a", "loop_b", "loop_c"].map((model) => startTurn(model, "Go")));
    const polite = await Promise.all(["polite_loop", "chatter"].map((model) => startTurn(model, "Go")));
    const again = await Promise.all(Array.from({ length: 10 }, () => startTurn("loop_a", "Go on")));
    await Promise.all([...again, ...loops].map((chat) => ended(chat)));
    // These give way to others, so nothing but their person ends them (or PLUGIN_TIMEOUT).
    for (const chat of polite) expect((await answerOf(chat)).state).toBe("streaming");
    for (const chat of polite) await call(`/api/tasks/chat/${chat}/stop`, {});
    await Promise.all(polite.map((chat) => ended(chat)));
    return { loops, polite, again };
  })();
  const [{ loops, polite, again }, measured] = await Promise.all([running, measureOthers(running)]);
  tellAll("Meanwhile", measured);
  // On a machine of its own it is some milliseconds (`npm run bench`); here others may take their share.
  expect(quantile(measured[0]!, 0.5)).toBeLessThan(250);
  for (const times of measured) {
    expect(times.length).toBeGreaterThan(10);
    expect(quantile(times, 0.95)).toBeLessThan(2000);
  }
  // Each of those who called it is told what happened; whoever comes after its third stop finds it left alone.
  for (const [at, chat] of [...loops, ...again].entries()) {
    const name = ["loop_a", "loop_b", "loop_c"][at] ?? "loop_a";
    const { state, error } = await answerOf(chat);
    const { code, content } = error as { code: string; content: string };
    const said: Record<string, RegExp> = {
      // A call that had begun shares its process's end with the one that looped: which of them it was nobody can see.
      plugin_stopped: new RegExp(
        `^${name}: It ran too long without a pause and was stopped(?:, maybe because of another|$)`,
      ),
      ...(at < loops.length
        ? {}
        : { plugin_unavailable: /^loop_a: It was stopped again and again, and is left alone/ }),
    };
    expect(state).toBe("error");
    expect(Object.keys(said)).toContain(code);
    expect(content).toMatch(said[code]!);
  }
  for (const chat of polite) expect((await answerOf(chat)).state).toBe("stopped");
  expect(await answerOf(polite[1]!)).toMatchObject({ content: "I begin. ", statusHistory: [{ done: true }] });
}, 180_000);

test("what was asked last of a plugin that died is told so, and the plugin is back at once", async () => {
  const chat = await startTurn("sleeper", "Sleep well");
  await expect.poll(async () => (await answerOf(chat)).content, { timeout: 30_000 }).toBe("Good night. ");
  const killed = pluginProcesses();
  expect(killed.length).toBeGreaterThan(0);
  for (const { pid } of killed) process.kill(pid, "SIGKILL");
  await ended(chat);
  const answer = await answerOf(chat);
  expect(answer).toMatchObject({ state: "error", content: "Good night. ", statusHistory: [{ done: true }] });
  const woken = await call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
    model: "sleeper",
    messages: [{ role: "user", content: "wake up" }],
  });
  expect(woken.choices[0]!.message.content).toBe("Awake");
});

test("after a kill -9 of everything, answers end as interrupted, and plugins, settings and packages are there", async () => {
  const form = new FormData();
  const code = { "harbour_numbers/__init__.py": "def double(n):\n    return n * 2\n" };
  form.append("file", new File([makeWheel("harbour-numbers", "1.0", code)], "harbour_numbers-1.0-py3-none-any.whl"));
  const headers = { authorization: `Bearer ${admin}` };
  const uploaded = await fetch(`${parley.url}/api/v1/plugins/packages`, { method: "POST", headers, body: form });
  expect(uploaded.status).toBe(200);
  await install("numbers", numbers);
  await call("/api/v1/functions/id/numbers/valves/update", { base: 21, secret: "sesame" });
  const asked = { model: "numbers", messages: [{ role: "user", content: "?" }] };
  const answer = async () =>
    (await call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", asked)).choices[0]!.message
      .content;
  expect(await answer()).toBe("42 sesame");

  const chat = await startTurn("sleeper", "Sleep well");
  await expect.poll(async () => (await answerOf(chat)).content, { timeout: 30_000 }).toBe("Good night. ");
  await parley.kill9All();
  await parley.restart();
  await ended(chat);
  expect(await answerOf(chat)).toMatchObject({
    state: "interrupted",
    content: "Good night. ",
    statusHistory: [{ description: "Asleep", done: true }],
  });
  expect(await call("/api/v1/chats/calls")).toEqual({ calls: [] });
  expect(await answer()).toBe("42 sesame");
  const functions = await call<{ id: string; is_active: boolean }[]>("/api/v1/functions/");
  expect(functions.filter((item) => item.is_active).map((item) => item.id)).toEqual(
    expect.arrayContaining(["loop_a", "sleeper", "numbers"]),
  );
  await chatPlainly(true);
}, 180_000);
