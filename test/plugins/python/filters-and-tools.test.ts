import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PythonHost, type PythonOptions, type PythonResult, readFixture, startPythonHost } from "./python-host.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

let host: PythonHost;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
  host = await startPythonHost(upstream.host);
}, 120_000);

afterAll(async () => {
  await host.stop();
  await upstream.stop();
});

const call = (name: string, method: string, args: Record<string, unknown> = {}, options: PythonOptions = {}) =>
  host.call(readFixture(name), method, args, options);
const ask = (content: unknown, more: object = {}) => ({
  body: { model: "m", messages: [{ role: "user", content }], ...more },
});
const ada = { id: "u1", name: "Ada", email: "ada@example.com", role: "user" };
const info = async (name: string) => {
  const { info, problems } = await host.describe(readFixture(name));
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return info!;
};
const logged = (result: PythonResult) => result.logs.map(({ level, text }) => `${level}: ${text}`);

describe("filters written for the peer", { timeout: 60_000 }, () => {
  it("counts per person, and refuses with its own words", async () => {
    expect(await info("rate_limit_filter")).toMatchObject({
      type: "filter",
      hooks: ["inlet"],
      toggle: false,
      valveDefaults: { priority: 5, requests_per_minute: 10 },
      userValvesSchema: { properties: { requests_per_minute: { anyOf: [{ type: "integer" }, { type: "null" }] } } },
    });
    const inlet = (user: object) => call("rate_limit_filter", "inlet", ask("?"), { reserved: { __user__: user } });
    const careful = { ...ada, valves: { requests_per_minute: 2 } };
    expect(await inlet(careful)).toMatchObject({ ok: true, value: ask("?").body });
    expect(await inlet(careful)).toMatchObject({ ok: true });
    expect(await inlet(careful)).toMatchObject({
      ok: false,
      error: { code: "threw", name: "Exception", message: "Rate limit exceeded: 2 per minute", line: 33 },
    });
    expect(await inlet({ ...ada, id: "u2" })).toMatchObject({ ok: true });
    expect(await inlet({ ...careful, role: "admin" })).toMatchObject({ ok: true });
  });

  it("changes events of a stream, and the end", async () => {
    expect(await info("stream_filter")).toMatchObject({
      hooks: ["outlet", "stream"],
      toggle: true,
      icon: expect.stringMatching(/^data:image/) as string,
    });
    const event = { choices: [{ delta: { content: "a—b" } }, {}] };
    expect(await call("stream_filter", "stream", { event })).toMatchObject({
      value: { choices: [{ delta: { content: "a - b" } }, {}] },
    });
    const reserved = { __metadata__: { chat_id: "c1" }, __model__: { id: "m1" } };
    expect(await call("stream_filter", "outlet", ask("Hi"), { reserved })).toMatchObject({
      value: { messages: [{ content: "Hi [c1, m1]" }] },
    });
  });

  it("may change the body in place and return nothing", async () => {
    expect(await call("in_place_filter", "inlet", ask("Four"))).toMatchObject({
      value: { messages: [{ role: "system", content: "The question has 4 characters." }, { role: "user" }] },
    });
    expect(
      await call("in_place_filter", "outlet", { body: { messages: [{ content: 1 }, { content: 2 }] } }),
    ).toMatchObject({
      value: { messages: [{ content: 2 }] },
    });
  });

  it("has values of each person, and valves that no call changes for another", async () => {
    const messages = Array.from({ length: 6 }, (_, n) => ({ role: n === 0 ? "system" : "user", content: String(n) }));
    const clip = async (valves?: object) => {
      const reserved = { __user__: { ...ada, ...(valves ? { valves } : {}) } };
      const { value } = (await call(
        "context_clip_filter",
        "inlet",
        { body: { messages } },
        { reserved },
      )) as unknown as { value: { messages: unknown[] } };
      return value.messages.length;
    };
    expect(await clip({ max_turns: 2 })).toBe(3);
    expect(await clip()).toBe(5);
    expect(await clip({ max_turns: "3" })).toBe(4);
    expect(await clip({ max_turns: "many" })).toBe(5);
  });

  it("refuses with a status", async () => {
    expect(await call("refusing_filter", "inlet", ask("?"), { reserved: { __user__: ada } })).toMatchObject({
      ok: false,
      error: { code: "threw", name: "HTTPException", message: "Only for administrators", status: 403, line: 11 },
    });
  });

  it("reads files itself", async () => {
    expect(await info("files_filter")).toMatchObject({ fileHandler: true });
    const files = [{ name: "a.txt" }, { name: "b.txt" }];
    const result = await call("files_filter", "inlet", ask("See"), { reserved: { __files__: files } });
    expect(result).toMatchObject({ value: { messages: [{ content: "See\n\nFiles: a.txt, b.txt" }] } });
    expect(result.events).toEqual([{ type: "files", data: { files } }]);
  });
});

describe("actions written for the peer", { timeout: 60_000 }, () => {
  it("asks, lets a model write, and returns the new text", async () => {
    expect(await info("summary_action")).toMatchObject({
      type: "action",
      hooks: ["action"],
      manifest: { required_open_webui_version: "0.5.0" },
      userValvesSchema: { properties: { show_status: { type: "boolean", default: true } } },
    });
    const rights = { "user.get": ada, "completion.create": { choices: [{ message: { content: "Short." } }] } };
    const reserved = { __user__: { ...ada, valves: {} }, __model__: { id: "m1" } };
    const result = await call("summary_action", "action", ask("A long text"), { rights, reserved, answers: ["20"] });
    expect(result).toMatchObject({ ok: true, value: { content: "Short." } });
    expect(result.events.map((event) => (event as { type: string }).type)).toEqual(["status", "status", "message"]);
    expect(result.requests[1]).toEqual([
      "completion.create",
      { body: { model: "m1", stream: false, messages: [{ role: "user", content: "In 20 words: A long text" }] } },
    ]);
  });

  it("has several buttons", async () => {
    expect((await info("several_actions")).actions).toEqual([
      { id: "up", name: "Well done", icon: "data:image/svg+xml;base64,PHN2Zy8+" },
      { id: "down", name: "Not good", icon: null },
    ]);
    const result = await call("several_actions", "action", ask("?"), { reserved: { __id__: "up", __user__: ada } });
    expect(result).toMatchObject({
      value: { pressed: "up", extras: [] },
      events: [{ type: "chat:message:favorite", data: { favorite: true } }],
    });
  });

  it("keeps a file", async () => {
    const rights = { "user.get": ada, "file.create": { id: "f1", name: "chat.txt", type: "file" } };
    const args = { body: { chat_id: "c1", messages: [{ role: "user", content: "Hi" }] } };
    const result = await call("export_action", "action", args, { rights, reserved: { __user__: ada } });
    expect(result).toMatchObject({ ok: true, value: null });
    expect(result.requests[1]).toEqual([
      "file.create",
      { name: "chat.txt", content_type: "text/plain", base64: Buffer.from("user: Hi").toString("base64") },
    ]);
    expect(result.events).toEqual([{ type: "files", data: { files: [{ type: "file", id: "f1", name: "chat.txt" }] } }]);
  });
});

describe("tools written for the peer", { timeout: 60_000 }, () => {
  it("searches the web and cites", async () => {
    const { specs } = await info("search_tools");
    expect(specs).toEqual([
      {
        name: "search_web",
        description: "Search the web and get the content of the relevant pages.",
        parameters: {
          type: "object",
          properties: {
            query: { type: "string", description: "Web query used in the search engine." },
            language: {
              anyOf: [{ type: "string" }, { type: "null" }],
              default: null,
              description: "Two letters, such as `en`.",
            },
          },
          required: ["query"],
        },
      },
    ]);
    const options = { hosts: [upstream.host], valves: { SEARCH_URL: `${upstream.url}/search` } };
    const result = await call("search_tools", "search_web", { query: "harbours & cranes" }, options);
    expect(result).toMatchObject({ value: [{ title: "a", content: "Text of a" }, { title: "b" }] });
    expect(result.events.map((event) => (event as { type: string }).type)).toEqual([
      "status",
      "citation",
      "citation",
      "status",
    ]);
    const refused = await call("search_tools", "search_web", { query: "x" }, { ...options, hosts: ["other.example"] });
    expect(refused).toMatchObject({ ok: true, value: expect.stringMatching(/^Error: /) as string });
  });

  it("tells models the types of parameters, and makes what they write into them", async () => {
    const { specs } = await info("typed_tools");
    expect(specs.map(({ name }) => name)).toEqual(["order", "convert", "pick"]);
    expect(specs[0]).toMatchObject({
      description: "Orders something.",
      parameters: {
        properties: {
          order: { $ref: "#/$defs/Order", description: "What, and where to." },
          express: { type: "boolean", default: false, description: "Sooner." },
          note: { type: "string", default: "", description: "For the postman" },
        },
        required: ["order"],
        $defs: {
          Order: {
            description: "What is ordered.",
            properties: {
              count: { type: "integer", minimum: 1, default: 1, description: "How many" },
              to: { $ref: "#/$defs/Address" },
            },
            required: ["item", "to"],
          },
          Address: { required: ["street", "city"] },
        },
      },
    });
    expect(specs[1]?.parameters).toMatchObject({
      properties: {
        value: { type: "number", description: "In the other unit." },
        to: { $ref: "#/$defs/Unit" },
        digits: { type: "integer", minimum: 0, default: 2, description: "After the point" },
      },
      required: ["value", "to"],
      $defs: { Unit: { type: "string", enum: ["metric", "imperial"] } },
    });
    expect(specs[2]?.parameters).toMatchObject({
      properties: {
        mode: { type: "string", enum: ["fast", "good"] },
        when: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
        ids: { type: "array", items: { type: "integer" } },
        extra: { type: "object" },
        either: { anyOf: [{ type: "integer" }, { type: "string" }], default: 0 },
        untyped: { default: null },
      },
      required: ["mode"],
    });
    const order = { item: "rope", count: 2, to: { street: "Quay 1", city: "Porto" } };
    expect(await call("typed_tools", "order", { order })).toMatchObject({
      value: { city: "Porto", count: 2, again: "rope", express: false, note: "" },
    });
    expect(await call("typed_tools", "convert", { value: 10, to: "metric" })).toMatchObject({ value: 3.05 });
    expect(await call("typed_tools", "convert", { value: 10, to: "parsecs" })).toMatchObject({
      error: { name: "ValueError", message: "'parsecs' is not one of: metric, imperial" },
    });
    expect(await call("typed_tools", "order", { order: { item: "rope" } })).toMatchObject({
      error: {
        name: "ValidationError",
        message: expect.stringMatching(/1 validation error for Order\nto\n {2}Field required/) as string,
      },
    });
    const forged = { mode: "fast", __user__: { name: "forged" }, unknown: 1 };
    expect(await call("typed_tools", "pick", forged, { reserved: { __user__: ada } })).toMatchObject({
      value: ["fast", null, null, {}, 0, null, "Ada"],
    });
    expect(await call("typed_tools", "_hidden")).toMatchObject({ error: { code: "missing" } });
    expect(await call("typed_tools", "order")).toMatchObject({ error: { code: "threw", name: "TypeError" } });
  });

  it("knows the person and their own values, and nothing of the machine", async () => {
    const reserved = { __user__: { ...ada, valves: { nickname: "A.", limit: 5 } } };
    expect(await call("user_tools", "get_user_name_and_email_and_id", {}, { reserved })).toMatchObject({
      value: "A. (ada@example.com), 5, 5",
    });
    expect(await call("user_tools", "get_current_time")).toMatchObject({
      value: expect.stringMatching(/20\d\d at/) as string,
    });
    expect(await call("user_tools", "environment")).toMatchObject({ ok: true, value: {} });
  });

  it("shows pages, and hands on what responses hold", async () => {
    const shown = await call("html_tools", "chart", { title: "Ships" });
    expect(shown.events).toEqual([{ type: "embeds", data: { embeds: ["<h1>Ships</h1>"] } }]);
    expect(shown).toMatchObject({ value: expect.stringContaining("shown") as string });
    expect(await call("html_tools", "chart_with_context", { title: "Ships" })).toMatchObject({
      value: "A chart of Ships",
    });
    expect(await call("html_tools", "data")).toMatchObject({ value: { a: 1 } });
    expect(await call("html_tools", "broken")).toMatchObject({ error: { name: "HTTPException", status: 418 } });
  });

  it("calls other tools of the turn", async () => {
    const spec = {
      name: "get_weather",
      description: "Weather",
      parameters: { properties: { city: { type: "string" } } },
    };
    const rights = {
      "tool.call": ({ name, args }: { name: string; args: object }) => {
        if (name === "broken") throw new Error("It is broken");
        return { name, args };
      },
    };
    const reserved = {
      __tools__: { get_weather: { spec }, broken: { spec: { name: "broken" } } },
      __messages__: [{}, {}],
    };
    expect(await call("orchestrator_tools", "both", { city: "Faro" }, { rights, reserved })).toMatchObject({
      value: [{ name: "get_weather", args: { city: "Faro" } }, "Weather", "RuntimeError: It is broken", 2],
    });
  });

  it("waits in synchronous code, pools of threads and loops inside of loops", async () => {
    const options = { hosts: [upstream.host] };
    const args = { url: upstream.url };
    expect(await call("blocking_tools", "threads", args, options)).toMatchObject({
      value: ["?n=0", "?n=1", "?n=2", "?n=3"],
    });
    expect(await call("blocking_tools", "to_thread", args, options)).toMatchObject({ value: [200, true] });
    expect(await call("blocking_tools", "nested_loop", args, options)).toMatchObject({ value: ["GET", '{"a":1}'] });
    expect(await call("blocking_tools", "errors", args, options)).toMatchObject({
      value: ["HTTPError 404", "JSONDecodeError", "ConnectionError"],
    });
  });

  it("logs by print, logging and loguru, with tracebacks of what it does wrong", async () => {
    const result = await call("logging_tools", "speak", { fail: true });
    expect(result).toMatchObject({ ok: false, error: { name: "ValueError", message: "on line 33", line: 33 } });
    const lines = logged(result);
    expect(lines.slice(0, 5)).toEqual([
      "info: printed-1",
      "warning: to stderr",
      "info: info x",
      "warning: loguru 1 n",
      'debug: {"json": true}',
    ]);
    expect(lines[5]).toMatch(/^error: caught\nTraceback[^]*ZeroDivisionError/);
    expect(lines[6]).toMatch(/^error: Traceback[^]*plugin\.py", line 30, in speak[^]*ValueError: on line 33$/);
    expect(lines[6]).not.toContain("harness");
  });
});
