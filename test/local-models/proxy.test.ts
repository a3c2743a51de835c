import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { usageRecords } from "../../src/usage/tables.ts";
import { startProvider } from "../models/provider.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { startFakeRuntime, type FakeRuntime } from "./fake-runtime.ts";
import { counts, words } from "./runtime-words.ts";

let runtime: FakeRuntime;
let world: World;
let ada: Person;
beforeEach(async () => {
  runtime = await startFakeRuntime(["tiny:latest", "big:70b"]);
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: runtime.origin } });
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await runtime.close();
});

const last = () => runtime.seen.at(-1)!;
const calls = (path: string) => runtime.seen.filter(({ url, method }) => url === path && method === "POST");
const generate = (model: string, more: object = {}) => ({ as: ada, json: { model, prompt: "Hi", ...more } });

describe("what is asked of a model", () => {
  test.each(["/localmodel", "/ollama"])("comes back byte for byte below %s", async (base) => {
    const response = await world.request(`${base}/api/generate`, generate("tiny"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const text = await response.text();
    const direct = await fetch(`${runtime.origin}/api/generate`, {
      method: "POST",
      body: JSON.stringify({ model: "tiny", prompt: "Hi" }),
    });
    expect(text).toBe(await direct.text());
    expect(text).toContain(JSON.stringify(words[7]).slice(1, -1));
  });

  test("reaches the runtime as it was written, unknown fields, odd numbers and blanks included", async () => {
    const body =
      '{ "prompt":"Hi",\n"stream" : false, "model":"tiny", "options":{"seed":12345678901234567890,"x":1.0}, "new":[1e3] }';
    const { status } = await world.call("/localmodel/api/generate?trace=1", { as: ada, method: "POST", body });
    expect(status).toBe(200);
    expect(last().body.toString()).toBe(body);
    expect(last().url).toBe("/api/generate?trace=1");
  });

  test("broken characters go on as they are", async () => {
    const body = Buffer.concat([
      Buffer.from('{"model":"tiny","prompt":"'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}'),
    ]);
    await (await world.request("/localmodel/api/generate", { as: ada, method: "POST", body })).text();
    expect(last().body.equals(body)).toBe(true);
  });

  test("events come as events, and usage as it was asked for", async () => {
    const json = { model: "tiny", stream: true, messages: [{ role: "user", content: "Hi" }] };
    const response = await world.request("/localmodel/v1/chat/completions", { as: ada, json });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const text = await response.text();
    expect(text).toMatch(/^data: \{.*data: \[DONE\]\n\n$/s);
    expect(text).not.toContain("usage");
  });

  test.each([
    ["tiny", 200],
    ["tiny:latest", 200],
    ["big:70b", 200],
    ["big", 404],
    ["big:7b", 404],
    ["tiny:latest:latest", 404],
  ])("the model %s is %i, as at the runtime", async (model, status) => {
    const { status: said } = await world.call("/localmodel/api/generate", generate(model, { stream: false }));
    expect(said).toBe(status);
  });

  test("what the runtime refuses is refused with its status and its words", async () => {
    const wrong = await world.call("/localmodel/api/generate", generate("tiny", { stream: "yes" }));
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { error: "json: cannot unmarshal string into Go struct field .stream" },
    ]);
    expect(wrong.headers.get("x-runtime")).toBe("fake");
    const openAi = await world.call("/localmodel/v1/embeddings", { as: ada, json: { model: "tiny", input: 7 } });
    expect([openAi.status, openAi.body["error"]]).toEqual([
      400,
      expect.objectContaining({ type: "invalid_request_error" }),
    ]);
  });

  test.each([
    ["", 400],
    ["no json", 400],
    ["[]", 400],
    ["{}", 400],
    ['{"model":7}', 400],
    ['{"model":""}', 400],
    ['{"model":"tiny","MODEL":"big:70b"}', 400],
    ['{"model":"nothing"}', 404],
    [`{"model":"tiny","x":${"[".repeat(600)}${"]".repeat(600)}}`, 400],
  ])("a body %s is %i, and the runtime is not asked", async (body, status) => {
    await world.call("/localmodel/api/tags", { as: ada });
    const before = calls("/api/generate").length;
    const answer = await world.call("/localmodel/api/generate", { as: ada, method: "POST", body });
    expect(answer.status).toBe(status);
    expect(typeof answer.body["error"]).toBe("string");
    expect(calls("/api/generate").length).toBe(before);
  });

  test("too large a body is 413", async () => {
    const body = JSON.stringify({ model: "tiny", prompt: "x".repeat(33_000_000) });
    const { status } = await world.call("/localmodel/api/generate", { as: ada, method: "POST", body });
    expect(status).toBe(413);
  });
});

describe("headers", () => {
  test("credentials, cookies and what is only of the connection stay here", async () => {
    const headers = {
      cookie: "token=x; theme=dark",
      "x-api-key": "sk-someone",
      origin: "http://evil.example",
      "x-forwarded-for": "10.0.0.1",
      "x-auth-request-email": "ada@harbour.example",
      connection: "keep-alive",
      "user-agent": "ollama-js/0.6",
      "anthropic-beta": "tools",
    };
    const { status } = await world.call("/localmodel/api/embed", {
      as: ada,
      headers,
      json: { model: "tiny", input: "Hi" },
    });
    expect(status).toBe(200);
    const got = last().headers;
    for (const name of ["authorization", "cookie", "x-api-key", "origin", "x-forwarded-for", "x-auth-request-email"])
      expect(got[name]).toBeUndefined();
    expect(got).toMatchObject({
      "user-agent": "ollama-js/0.6",
      "anthropic-beta": "tools",
      "content-type": "application/json",
    });
  });

  test("of the answer go on, but for those that would speak for this origin", async () => {
    runtime.intercept = (_, response) => {
      response.writeHead(200, {
        "content-type": "text/html",
        "set-cookie": "token=stolen",
        location: "http://10.0.0.1/",
        "access-control-allow-origin": "*",
        "x-own": "kept",
      });
      response.end("<script>alert(1)</script>");
      return true;
    };
    const admin = await world.admin();
    const { status, headers } = await world.call("/localmodel/", { as: admin });
    expect([status, headers.get("x-own"), headers.get("content-type")]).toEqual([200, "kept", "text/html"]);
    for (const name of ["set-cookie", "location", "access-control-allow-origin"]) expect(headers.get(name)).toBeNull();
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });
});

describe("who may ask for what", () => {
  const restrict = (id: string) =>
    world.call("/api/v1/models/create", {
      as: admin,
      json: {
        id,
        name: id,
        meta: {},
        params: {},
        access_grants: [{ principal_type: "user", principal_id: friend.id, permission: "read" }],
      },
    });
  let admin: Person;
  let friend: Person;
  beforeEach(async () => {
    admin = await world.admin();
    friend = await world.person({ name: "Friend" });
  });
  const names = async (person: Person, path = "/localmodel/api/tags") => {
    const { body } = await world.call<{ models?: { name: string }[]; data?: { id: string }[] }>(path, { as: person });
    return body.models?.map(({ name }) => name) ?? body.data?.map(({ id }) => id);
  };

  test("a model that is for some is there for them, in lists and in calls, under all its names", async () => {
    expect((await restrict("tiny:latest")).status).toBe(200);
    runtime.loaded.add("tiny:latest");
    expect([await names(friend), await names(admin)]).toEqual([
      ["tiny:latest", "big:70b"],
      ["tiny:latest", "big:70b"],
    ]);
    expect(await names(ada)).toEqual(["big:70b"]);
    expect(await names(ada, "/ollama/v1/models")).toEqual(["big:70b"]);
    expect(await names(ada, "/localmodel/api/ps")).toEqual([]);
    expect(await names(friend, "/localmodel/api/ps")).toEqual(["tiny:latest"]);
    for (const model of ["tiny", "tiny:latest"]) {
      const json = { model, prompt: "Hi", stream: false };
      expect((await world.call("/localmodel/api/generate", { as: ada, json })).status).toBe(404);
      expect((await world.call("/localmodel/api/show", { as: ada, json: { model } })).status).toBe(404);
      expect((await world.call("/localmodel/api/show", { as: ada, json: { name: model } })).status).toBe(404);
      expect((await world.call(`/localmodel/v1/models/${model}`, { as: ada })).status).toBe(404);
      expect((await world.call("/localmodel/api/generate", { as: friend, json })).status).toBe(200);
      expect((await world.call(`/localmodel/v1/models/${model}`, { as: friend })).status).toBe(200);
    }
  });

  test("what is made in Parley is none of the runtime's: its instructions would be lost", async () => {
    const json = { id: "pirate", name: "Pirate", base_model_id: "tiny:latest", meta: {}, params: { system: "Arr" } };
    expect((await world.call("/api/v1/models/create", { as: admin, json })).status).toBe(200);
    expect((await world.call("/localmodel/api/generate", { ...generate("pirate"), as: admin })).status).toBe(404);
    expect(await names(admin)).toEqual(["tiny:latest", "big:70b"]);
  });

  test.each([
    ["POST", "/api/pull"],
    ["DELETE", "/api/delete"],
    ["POST", "/api/create"],
    ["POST", "/api/copy"],
    ["POST", "/api/push"],
    ["POST", "/api/blobs/sha256:00"],
    ["HEAD", "/api/blobs/sha256:00"],
    ["POST", "/api/unload"],
    ["GET", "/"],
    ["GET", "/slots"],
    ["POST", "/completion"],
    ["PUT", "/api/generate"],
    ["POST", "/api/generate/"],
    ["POST", "/api%2fpull"],
  ])("%s %s is for administrators", async (method, path) => {
    const before = runtime.seen.length;
    const body =
      method === "GET" || method === "HEAD" ? {} : { body: JSON.stringify({ model: "tiny", source: "tiny" }) };
    const { status } = await world.request(`/localmodel${path}`, { as: ada, method, ...body });
    expect([status, runtime.seen.length]).toEqual([403, before]);
  });

  test("a call that nobody here knows goes through for administrators", async () => {
    const { status, body } = await world.call("/localmodel/api/newest?x=1", {
      as: admin,
      json: { any: ["thing", 1.0] },
    });
    expect([status, body]).toEqual([404, "404 page not found"]);
    expect([last().method, last().url, last().body.toString()]).toEqual([
      "POST",
      "/api/newest?x=1",
      '{"any":["thing",1]}',
    ]);
  });
});

describe("a runtime that fails", () => {
  test("is told from one whose connection was refused: that is 502 with its words, and never a 401 of the caller's", async () => {
    await world.call("/localmodel/api/tags", { as: ada });
    await world.call("/localmodel/api/generate", generate("tiny", { stream: false }));
    runtime.intercept = (_, response) => {
      response.writeHead(401, { "content-type": "application/json" }).end('{"error":"unauthorized"}');
      return true;
    };
    const { status, headers, body } = await world.call("/localmodel/api/generate", generate("tiny"));
    expect([status, body, headers.get("x-upstream-status")]).toEqual([502, { error: "unauthorized" }, "401"]);
  });

  test("is 502 in the runtime's dialect when it is gone", async () => {
    await world.call("/localmodel/api/generate", generate("tiny", { stream: false }));
    await runtime.close();
    const { status, body } = await world.call("/localmodel/api/generate", generate("tiny"));
    expect([status, typeof body["error"]]).toEqual([502, "string"]);
    const openAi = await world.call("/localmodel/v1/embeddings", { as: ada, json: { model: "tiny", input: "Hi" } });
    expect([openAi.status, typeof openAi.body["error"]]).toEqual([502, "object"]);
    const list = await world.call("/localmodel/api/tags", { as: ada });
    expect([list.status, list.body["error"]]).toEqual([502, "No local runtime can be reached"]);
    expect(JSON.stringify(list.body)).not.toContain("127.0.0.1");
    runtime = await startFakeRuntime();
  });

  test("in the middle of its lines leaves a line that says so", async () => {
    let die!: (error: Error) => void;
    const death = new Promise<never>((_, reject) => (die = reject));
    death.catch(() => undefined);
    runtime.hold = (line) => (line < 2 ? undefined : death);
    const response = await world.request("/localmodel/api/generate", generate("tiny"));
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of response.body!) {
      text += decoder.decode(bytes, { stream: true });
      if (text.split("\n").length > 2) die(new Error("the runtime dies"));
    }
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ response }) => response)).toEqual([words[0], words[1], undefined]);
    expect(typeof lines[2]!["error"]).toBe("string");
  });

  test("is let go when the caller leaves", async () => {
    let isWaiting!: () => void;
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    runtime.hold = (line) => {
      if (line < 1) return undefined;
      isWaiting();
      return new Promise(() => undefined);
    };
    const response = await world.request("/localmodel/api/generate", generate("tiny"));
    const reader = response.body!.getReader();
    await reader.read();
    await waiting;
    await reader.cancel();
    await expect.poll(() => calls("/api/generate")[0]!.left, { timeout: 30_000 }).toBe(true);
  });

  test("is let go when the caller leaves before it answers", async () => {
    await world.call("/localmodel/api/tags", { as: ada });
    runtime.intercept = ({ url }) => url === "/api/generate";
    const abort = new AbortController();
    const asked = world.request("/localmodel/api/generate", { ...generate("tiny"), signal: abort.signal });
    await expect.poll(() => calls("/api/generate").length, { timeout: 30_000 }).toBe(1);
    abort.abort();
    await asked;
    await expect.poll(() => calls("/api/generate")[0]!.left, { timeout: 30_000 }).toBe(true);
  });
});

describe("secrets of a connection", () => {
  test("are sent to the runtime and never come back from it", async () => {
    const keeper = await startProvider((request, response) => {
      const sent = request.headers.authorization ?? "";
      if (request.url === "/api/tags")
        response.end(JSON.stringify({ models: [{ name: "tiny:latest", model: "tiny:latest" }] }));
      else
        response
          .writeHead(500, { "content-type": "application/json" })
          .end(JSON.stringify({ error: `bad key ${sent}` }));
    });
    const admin = await world.admin();
    const json = { kind: "local", base_url: keeper.origin, key: "very-secret-key", prefix_id: "kept" };
    await world.call("/api/v1/connections", { as: admin, json });
    const { status, body } = await world.call("/localmodel/api/generate", generate("kept.tiny"));
    expect([status, body]).toEqual([500, { error: "bad key Bearer [redacted]" }]);
    expect(keeper.headers.at(-1)!.authorization).toBe("Bearer very-secret-key");
    await keeper.close();
  });
});

describe("the ledger", () => {
  const records = async () => {
    await world.settled();
    const rows = await world.db.select().from(usageRecords);
    return rows.map(({ api, model, state, input, output, isEstimated, userId }) => ({
      api,
      model,
      state,
      input,
      output,
      isEstimated,
      isAda: userId === ada.id,
    }));
  };
  const counted = {
    api: "local",
    model: "tiny:latest",
    state: "done",
    input: counts.prompt_eval_count,
    output: counts.eval_count,
    isEstimated: false,
    isAda: true,
  };

  test("has what the runtime counted, of lines and of whole answers", async () => {
    await (await world.request("/localmodel/api/generate", generate("tiny"))).text();
    await (await world.request("/localmodel/api/generate", generate("tiny", { stream: false }))).text();
    expect(await records()).toEqual([counted, counted]);
  });

  test("has an estimate where a stream says nothing, and what came of those that fail", async () => {
    const json = { model: "tiny", stream: true, messages: [{ role: "user", content: "Hi" }] };
    await (await world.request("/localmodel/v1/chat/completions", { as: ada, json })).text();
    await world.call("/localmodel/api/generate", generate("tiny", { prompt: 7 }));
    const [estimated, failed] = await records();
    expect(estimated).toMatchObject({ state: "done", isEstimated: true });
    expect(estimated!.output).toBeGreaterThanOrEqual(words.length);
    expect(failed).toMatchObject({ state: "error", output: 0 });
  });
});

test("a call costs one round trip when the runtime is known", async () => {
  await (await world.request("/localmodel/api/generate", generate("tiny"))).text();
  await world.settled();
  world.roundTrips.reset();
  await (await world.request("/localmodel/api/generate", generate("tiny"))).text();
  expect(world.roundTrips.count).toBe(1);
});
