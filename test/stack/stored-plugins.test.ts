import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeWheel } from "../plugins/wheels.ts";
import { startParley, type Parley } from "./start-parley.ts";

let parley: Parley;
let token: string;

interface Body {
  [name: string]: unknown;
}

async function call(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  const isForm = body instanceof FormData;
  const response = await fetch(parley.url + path, {
    method,
    headers: {
      ...(isForm ? {} : { "content-type": "application/json" }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

beforeAll(async () => {
  token = "";
  parley = await startParley();
  const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse battery staple" };
  token = String((await call("/api/v1/auths/signup", account)).body["token"]);
});
afterAll(() => parley?.stop());

const filter = `"""
title: Polite
description: Asks nicely
version: 1.1.0
"""
from typing import Optional
from pydantic import BaseModel, Field

class Filter:
    class Valves(BaseModel):
        priority: int = Field(default=2, description="Order")
        word: str = Field(default="please", description="What is added", max_length=20)
        api_key: str = ""

    class UserValves(BaseModel):
        tone: str = "warm"

    def __init__(self):
        self.valves = self.Valves()

    async def inlet(self, body: dict, __user__: Optional[dict] = None, __event_emitter__=None) -> dict:
        await __event_emitter__({"type": "status", "data": {"description": "asking", "done": True}})
        print("asking", body["text"])
        tone = __user__["valves"].tone
        return {"text": f"{body['text']}, {self.valves.word} ({tone})"}
`;

const tools = `"""
title: Sums
"""
from harbour_numbers import double

class Tools:
    def total(self, numbers: list[int], note: str = "none") -> str:
        """
        Adds numbers up, twice.
        :param numbers: what to add
        """
        return f"{double(sum(numbers))} {note}"

    async def sure(self, __event_call__=None) -> str:
        yes = await __event_call__({"type": "confirmation", "data": {"title": "Sure?", "message": "Really"}})
        return "went on" if yes else "stopped"

    def broken(self) -> str:
        raise ValueError("no such luck")
`;

describe("plugins over HTTP", { timeout: 120_000 }, () => {
  test("a Python function is stored, set and tried", async () => {
    const made = await call("/api/v1/functions/create", { id: "polite", name: "Polite", content: filter, meta: {} });
    expect([made.status, made.body]).toMatchObject([
      200,
      { type: "filter", language: "python", priority: 2, has_valves: true, has_user_valves: true },
    ]);
    const at = "/api/v1/functions/id/polite";
    expect((await call(`${at}/valves/spec`)).body).toMatchObject({
      properties: { word: { type: "string", default: "please", maxLength: 20 } },
    });
    expect((await call(`${at}/valves/update`, { word: "x".repeat(21) })).status).toBe(422);
    expect((await call(`${at}/valves/update`, { word: "kindly", api_key: "sk-1" })).status).toBe(200);
    expect((await call(`${at}/toggle`, {})).body["is_active"]).toBe(true);
    expect((await call(`${at}/valves/user/update`, { tone: "cool" })).status).toBe(200);
    const trial = { method: "inlet", args: { body: { text: "Tea" } } };
    expect((await call(`${at}/try`, trial)).body).toMatchObject({
      ok: true,
      value: { text: "Tea, kindly (cool)" },
      events: [{ type: "status", data: { description: "asking" } }],
      logs: [{ text: "asking Tea" }],
    });
    const changed = filter.replace("{body['text']}, ", "Now {body['text']}, ");
    const tried = await call(`${at}/try`, { ...trial, content: changed, valves: { word: "at once" } });
    expect(tried.body).toMatchObject({ value: { text: "Now Tea, at once (cool)" } });
    expect((await call(at)).body).toMatchObject({ version: 1, content: filter });
  });

  test("a source that does not load is refused with its line; one that lacks a package is stored, and calls that need it name it", async () => {
    const broken = await call("/api/v1/functions/create", {
      id: "bad",
      name: "Bad",
      content: "class Pipe:\n  def pipe(",
    });
    expect([broken.status, broken.body["code"]]).toEqual([400, "plugin_invalid"]);
    expect(JSON.stringify(broken.body)).toMatch(/Line 2/);
    const missing = await call("/api/v1/tools/create", { id: "sums", name: "Sums", content: tools });
    expect(missing.status).toBe(200);
    const { body } = await call("/api/v1/tools/check", { content: tools });
    expect(body).toMatchObject({ ok: true, problems: [{ severity: "warning", package: "harbour-numbers" }] });
    const at = "/api/v1/tools/id/sums";
    expect((await call(`${at}/try`, { method: "total", args: { numbers: [1, 2] } })).body).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("harbour_numbers") as string },
    });
    expect((await call(`${at}/try`, { method: "sure", answers: [true] })).body["value"]).toBe("went on");
  });

  test("a Python tool finds the package that was uploaded for it", async () => {
    const form = new FormData();
    const code = { "harbour_numbers/__init__.py": "def double(n):\n    return n * 2\n" };
    form.append("file", new File([makeWheel("harbour-numbers", "1.0", code)], "harbour_numbers-1.0-py3-none-any.whl"));
    expect((await call("/api/v1/plugins/packages", form)).body).toMatchObject({
      name: "harbour-numbers",
      version: "1.0",
    });
    const made = await call("/api/v1/tools/id/sums");
    expect([made.status, made.body]).toMatchObject([200, { language: "python", write_access: true }]);
    expect((made.body["specs"] as Body[]).map((spec) => spec["name"])).toEqual(["total", "sure", "broken"]);
    const at = "/api/v1/tools/id/sums";
    expect((await call(`${at}/try`, { method: "total", args: { numbers: [1, 2] } })).body).toMatchObject({
      ok: true,
      value: "6 none",
    });
    expect((await call(`${at}/try`, { method: "sure", answers: [true] })).body["value"]).toBe("went on");
    expect((await call(`${at}/try`, { method: "broken" })).body).toMatchObject({
      ok: false,
      error: { code: "threw", name: "ValueError", message: "no such luck", line: 19 },
    });
    // Another version of the package takes the place of the one that isolates know.
    const next = new FormData();
    const again = { "harbour_numbers/__init__.py": "def double(n):\n    return n * 20\n" };
    next.append("file", new File([makeWheel("harbour-numbers", "2.0", again)], "harbour_numbers-2.0-py3-none-any.whl"));
    expect((await call("/api/v1/plugins/packages", next)).status).toBe(200);
    expect((await call(`${at}/try`, { method: "total", args: { numbers: [1, 2] } })).body["value"]).toBe("60 none");
  });

  test("a JavaScript tool is stored and tried", async () => {
    const content = `export class Tools {
      /** @param name whom */
      async greet(name: string, __user__: any): Promise<string> { return \`Hello \${name}, says \${__user__.name}\`; }
    }`;
    expect((await call("/api/v1/tools/create", { id: "greeter", name: "Greeter", content })).status).toBe(200);
    const { body } = await call("/api/v1/tools/id/greeter/try", { method: "greet", args: { name: "Ada" } });
    expect(body).toMatchObject({ ok: true, value: "Hello Ada, says Grace" });
    const ids = (await call("/api/v1/tools/")).body as unknown as Body[];
    // Those of one second have no order of their own.
    expect(ids.map((item) => item["id"]).toSorted()).toEqual(["greeter", "sums"]);
  });

  test("a test run that loops is stopped, and others answer meanwhile", async () => {
    const content = "export class Tools { forever() { for (;;); } }";
    await call("/api/v1/tools/create", { id: "looper", name: "Looper", content });
    const looping = call("/api/v1/tools/id/looper/try", { method: "forever" });
    expect((await call("/api/v1/tools/id/greeter/try", { method: "greet", args: { name: "Bo" } })).body["ok"]).toBe(
      true,
    );
    expect((await looping).body).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/stopped|timeout/) },
    });
  });
});
