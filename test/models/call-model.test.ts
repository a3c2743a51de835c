import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ConnectionView } from "../../src/models/connections/schema.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { answering, type Behaviour, listing, type Provider, startProvider } from "./provider.ts";

interface Answer {
  choices: { message: { content: string } }[];
  error: { code: string; type: string; message: string };
}

let world: World;
let admin: Person;
let first: Provider;
let second: Provider;
beforeEach(async () => {
  [first, second] = [await startProvider(), await startProvider()];
  world = await createWorld();
  admin = await world.admin();
});
afterEach(async () => {
  await world.close();
  await first.close();
  await second.close();
});

/** A provider with the model `tide`, whose completions are what the behaviour makes of them. */
const withTide =
  (completes: Behaviour): Behaviour =>
  (request: IncomingMessage, response: ServerResponse) =>
    (request.url?.endsWith("/chat/completions") ? completes : listing("tide"))(request, response);
const says = (content: string): Behaviour =>
  answering(
    200,
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "tide",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    }),
  );

const connect = async (provider: Provider, values: Record<string, unknown> = {}): Promise<ConnectionView> => {
  const { status, body } = await world.call<ConnectionView>("/api/v1/connections", {
    as: admin,
    json: { base_url: `${provider.origin}/v1`, key: "sk-harbour-secret", ...values },
  });
  expect(status).toBe(200);
  return body;
};
const look = async (id: string) => (await world.call<ConnectionView>(`/api/v1/connections/${id}`, { as: admin })).body;
const models = (as: Person = admin) => world.call("/api/models?refresh=true", { as });
const ask = (json: object = {}, as: Person = admin) =>
  world.call<Answer>("/api/chat/completions", {
    as,
    json: { model: "tide", messages: [{ role: "user", content: "When?" }], ...json },
  });
const asked = (provider: Provider) => provider.requests.filter((request) => request.startsWith("POST")).length;
const lastBody = (provider: Provider) =>
  JSON.parse(provider.bodies.findLast((body) => body !== "")!) as Record<string, unknown>;

describe("quirks", () => {
  test("shape what the provider is sent, and can be changed field by field", async () => {
    first.behave(withTide(says("At noon.")));
    const { id } = await connect(first, {
      quirks: { rename: { max_tokens: "max_completion_tokens" }, drop: ["user"], force: { temperature: 1 } },
    });
    await models();
    const said = { max_tokens: 9, user: "ada", temperature: 0, own: true, stream: true };
    expect((await ask(said)).status).toBe(200);
    const sent = lastBody(first);
    expect(sent).toMatchObject({ max_completion_tokens: 9, temperature: 1, own: true, model: "tide" });
    expect(sent).not.toHaveProperty("user");
    expect(sent["stream_options"]).toEqual({ include_usage: true });

    const change = { quirks: { stream_options: false, drop: [] }, policy: { attempts: 1 } };
    const { body } = await world.call<ConnectionView>(`/api/v1/connections/${id}`, {
      as: admin,
      method: "PATCH",
      json: change,
    });
    expect(body.quirks).toMatchObject({
      rename: { max_tokens: "max_completion_tokens" },
      drop: [],
      stream_options: false,
      unknown_fields: "pass",
    });
    expect(body.policy).toMatchObject({ attempts: 1, fail_over: true, max_concurrent: null });
    expect(await look(id)).toMatchObject({ quirks: body.quirks, policy: body.policy });
    await ask(said);
    expect(lastBody(first)).not.toHaveProperty("stream_options");
    expect(lastBody(first)).toHaveProperty("user", "ada");
  });

  test.each([
    { quirks: { unknown: 1 } },
    { quirks: { rename: { model: "m" } } },
    { policy: { attempts: 0 } },
    { policy: { max_concurrent: "many" } },
    { policy: { later: true } },
  ])("that cannot be are 422: %j", async (values) => {
    const { status } = await world.call("/api/v1/connections", {
      as: admin,
      json: { base_url: `${first.origin}/v1`, ...values },
    });
    expect(status).toBe(422);
  });

  test("two administrators who change different fields at once do not undo each other", async () => {
    const { id } = await connect(first);
    const changes = [
      { policy: { attempts: 4 } },
      { policy: { max_concurrent: 7 } },
      { quirks: { drop: ["user"] } },
      { quirks: { force: { "top-k": 3 } } },
    ];
    await Promise.all(
      changes.map((json) => world.call(`/api/v1/connections/${id}`, { as: admin, method: "PATCH", json })),
    );
    expect(await look(id)).toMatchObject({
      policy: { attempts: 4, max_concurrent: 7, breaker_failures: 5 },
      quirks: { drop: ["user"], force: { "top-k": 3 } },
    });
  });
});

describe("fail-over", () => {
  test("goes to the next connection that has the model, and the reason is there for administrators", async () => {
    first.behave(withTide(answering(502, '{"error":{"message":"the harbour is closed, sk-harbour-secret"}}')));
    second.behave(withTide(says("From the second.")));
    const one = await connect(first, { policy: { attempts: 1 } });
    const two = await connect(second);
    await models();
    for (const stream of [false, true]) {
      const { status, body } = await ask({ stream });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain("From the second.");
    }
    expect([asked(first), asked(second)]).toEqual([2, 2]);
    expect((await look(one.id)).health).toMatchObject({
      breaker: "closed",
      calls: 2,
      failed: 2,
      failures: [{ status: 502, model: "tide", message: "the harbour is closed, [redacted]" }, { status: 502 }],
    });
    await vi.waitFor(async () =>
      expect((await look(two.id)).health).toMatchObject({ in_flight: 0, calls: 2, failed: 0 }),
    );
  });

  test("is not done for what the request itself is to blame for, nor where the policy says no", async () => {
    second.behave(withTide(says("From the second.")));
    first.behave(withTide(answering(400, '{"error":{"message":"no such parameter"}}')));
    const { id } = await connect(first, { policy: { attempts: 1 } });
    await connect(second);
    await models();
    expect(await ask()).toMatchObject({ status: 400, body: { error: { message: "no such parameter" } } });
    first.behave(withTide(answering(503, '{"error":{"message":"busy"}}')));
    await world.call(`/api/v1/connections/${id}`, {
      as: admin,
      method: "PATCH",
      json: { policy: { fail_over: false } },
    });
    expect((await ask()).status).toBe(503);
    expect(asked(second)).toBe(0);
  });

  test("stays with the connections that are there for the same people", async () => {
    first.behave(withTide(answering(502, "")));
    second.behave(withTide(says("From another organization's.")));
    const { body: organization } = await world.call<{ id: string }>("/api/v1/organizations", {
      as: admin,
      json: { name: "Pilots" },
    });
    await connect(first, { policy: { attempts: 1 } });
    await connect(second, { organization_id: organization.id });
    await models();
    expect((await ask()).status).toBe(502);
    expect(asked(second)).toBe(0);
  });
});

describe("places", () => {
  test("that are all taken are 429 in OpenAI's dialect, with a time to come again", async () => {
    let release: () => void = () => undefined;
    first.behave(withTide((request, response) => (release = () => says("At last.")(request, response))));
    const { id } = await connect(first, { policy: { max_concurrent: 1, max_waiting: 0 } });
    await models();
    const held = ask();
    await vi.waitFor(async () => expect((await look(id)).health.in_flight).toBe(1), { timeout: 20_000 });
    await vi.waitFor(() => expect(asked(first)).toBe(1), { timeout: 20_000 });
    for (const stream of [false, true]) {
      const { status, body, headers } = await ask({ stream });
      expect(status).toBe(429);
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
      expect(body.error).toMatchObject({ code: "too_many_requests", type: "rate_limit_error" });
    }
    release();
    expect((await held).body.choices[0]!.message.content).toBe("At last.");
    expect(asked(first)).toBe(1);
  });
});

test("a good status that holds no answer is told to administrators too, and opens no breaker", async () => {
  first.behave(withTide(answering(200, "<html><title>Sign in</title></html>", { "content-type": "text/html" })));
  const { id } = await connect(first, { policy: { attempts: 3 } });
  await models();
  for (const stream of [false, true]) expect((await ask({ stream })).status).toBe(502);
  await vi.waitFor(async () => expect((await look(id)).health.failed).toBe(2), { timeout: 20_000 });
  expect(asked(first)).toBe(2);
  const { health } = await look(id);
  expect(health).toMatchObject({ breaker: "closed", in_flight: 0 });
  expect(health.failures[0]!.message).toContain("web page");
});

test("the environment's connections get their options by a variable", async () => {
  first.behave(withTide(says("Yes.")));
  const options = { "env-openai-0": { quirks: { drop: ["user"] }, policy: { max_concurrent: 3 } } };
  const other = await createWorld({
    environment: { OPENAI_API_BASE_URLS: `${first.origin}/v1`, CONNECTION_OPTIONS: JSON.stringify(options) },
  });
  try {
    const person = await other.admin();
    const { body } = await other.call<ConnectionView[]>("/api/v1/connections", { as: person });
    expect(body[0]).toMatchObject({
      id: "env-openai-0",
      quirks: { drop: ["user"] },
      policy: { max_concurrent: 3, attempts: 2 },
    });
    await other.call("/api/chat/completions", {
      as: person,
      json: { model: "tide", messages: [{ role: "user", content: "When?" }], user: "ada" },
    });
    expect(lastBody(first)).not.toHaveProperty("user");
  } finally {
    await other.close();
  }
  const wrong = (text: string) => createWorld({ environment: { CONNECTION_OPTIONS: text } });
  for (const text of ["{", "[]", '{"openai": {}}', '{"env-openai-0": {"policy": {"attempts": 9}}}'])
    await expect(wrong(text)).rejects.toThrow(/CONNECTION_OPTIONS/);
});
