import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findLocalRuntime } from "../../../src/models/connections/find-local-runtime.ts";
import type { ConnectionView, LocalRuntime, TrialResult } from "../../../src/models/connections/schema.ts";
import { connections } from "../../../src/models/connections/tables.ts";
import { tryConnection } from "../../../src/models/connections/try-connection.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { answering, at, deadOrigin, hanging, listing, startProvider, tagging, type Provider } from "../provider.ts";

const base = "/api/v1/connections";
const key = "sk-harbour-0123456789abcdef";

interface Problem {
  code: string;
  detail: string;
  issues?: { path: string; message: string }[];
}

let world: World;
let admin: Person;
let provider: Provider;
beforeEach(async () => {
  provider = await startProvider(listing("tide", "ebb"));
  world = await createWorld();
  admin = await world.admin();
});
afterEach(async () => {
  await world.close();
  await provider.close();
});

const create = (values: Record<string, unknown> = {}) =>
  world.call<ConnectionView & Problem>(base, {
    as: admin,
    json: { kind: "openai", base_url: `${provider.origin}/v1`, key, ...values },
  });
const get = async (id: string) => (await world.call<ConnectionView>(`${base}/${id}`, { as: admin })).body;
const verify = (json: unknown) => world.call<TrialResult & Problem>(`${base}/verify`, { as: admin, json });

describe("trying a connection", () => {
  test("lists the provider's models and where they were found, and saves nothing", async () => {
    expect(await verify({ kind: "openai", base_url: provider.origin, key })).toMatchObject({
      status: 200,
      body: { ok: true, models: ["tide", "ebb"], base_url: `${provider.origin}/v1` },
    });
    expect(provider.headers.at(-1)).toMatchObject({ authorization: `Bearer ${key}` });
    expect(await world.db.select().from(connections)).toEqual([]);
  });

  test("finds an API at the root of its host", async () => {
    provider.behave(at("/models", answering(200, '{"data":[{"id":"tide"}]}')));
    expect((await verify({ base_url: `${provider.origin}/` })).body).toMatchObject({
      ok: true,
      models: ["tide"],
      base_url: provider.origin,
    });
  });

  test("uses what is saved wherever nothing else is named", async () => {
    const { body } = await create({ headers: { "X-A": "one" } });
    await world.settled();
    await verify({ id: body.id, headers: { "x-a": "********", "X-B": "two" } });
    expect(provider.headers.at(-1)).toMatchObject({ authorization: `Bearer ${key}`, "x-a": "one", "x-b": "two" });
    await verify({ id: body.id, key: "" });
    expect(provider.headers.at(-1)!.authorization).toBeUndefined();
  });

  test("makes the state of a saved one known that is tried as it is", async () => {
    const { body } = await create();
    await world.settled();
    provider.behave(answering(503, "{}"));
    expect((await verify({ id: body.id, kind: "openai", base_url: `${provider.origin}/v1` })).body).toMatchObject({
      ok: false,
      reason: "provider_error",
    });
    await world.settled();
    expect((await get(body.id)).status.state).toBe("failed");
  });

  test("wants an address", async () => {
    expect(await verify({ kind: "openai" })).toMatchObject({ status: 422 });
    expect(await verify({ base_url: "nonsense" })).toMatchObject({ status: 422 });
  });

  test.each([
    [
      "key_refused",
      answering(401, `{"error":{"message":"Incorrect API key provided: ${key}"}}`),
      /rejected the key \(401\): Incorrect API key provided: \[redacted\]/,
    ],
    ["key_refused", answering(403, "{}"), /rejected the key \(403\)/],
    ["not_found", answering(404, "{}"), /no model list at \/v1\/models \(404\)/],
    ["provider_error", answering(500, '{"error":"boom"}'), /error \(500\): boom/],
    ["rate_limited", answering(429, "{}"), /429/],
    [
      "not_a_model_list",
      answering(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/html" }),
      /a web page instead of a model list/,
    ],
    ["not_a_model_list", answering(200, ""), /an empty answer/],
    ["not_a_model_list", answering(200, '{"hello":"world"}'), /something else/],
    ["not_a_model_list", answering(200, '{"error":{"message":"quota is gone"}}'), /quota is gone/],
    ["not_a_model_list", answering(200, "null"), /something else/],
    [
      "redirected",
      answering(302, "", { location: "https://elsewhere.example/login?next=1" }),
      /redirects to https:\/\/elsewhere\.example:/,
    ],
  ])("says %s in words", async (reason, behaviour, words) => {
    provider.behave(behaviour);
    const { body } = await verify({ base_url: `${provider.origin}/v1`, key });
    expect(body).toMatchObject({ ok: false, reason, models: [] });
    expect(body.error).toMatch(words);
  });

  test("says that nothing answers, that a host is unknown, and that it took too long", async () => {
    expect((await verify({ base_url: await deadOrigin() })).body).toMatchObject({
      reason: "refused",
      error: expect.stringMatching(/127\.0\.0\.1:\d+ refuses connections/),
    });
    expect((await verify({ base_url: "http://no-such-host.invalid/v1" })).body).toMatchObject({
      reason: "unknown_host",
      error: expect.stringMatching(/no host named no-such-host\.invalid/),
    });
    provider.behave(hanging);
    const result = await tryConnection(await contextFor(world, admin), { base_url: provider.origin }, 40);
    expect(result).toMatchObject({
      ok: false,
      reason: "timeout",
      error: expect.stringMatching(/did not answer within 40 ms/),
    });
  });

  test("says that there is no trusted encrypted connection", async () => {
    const { body } = await verify({ base_url: provider.origin.replace("http:", "https:") });
    expect(body).toMatchObject({ ok: false, reason: "tls", error: expect.stringMatching(/encrypted/) });
  });

  test("does not wait for a body that never ends", async () => {
    provider.behave(
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).write('{"data":['),
    );
    expect(
      await tryConnection(await contextFor(world, admin), { base_url: `${provider.origin}/v1` }, 40),
    ).toMatchObject({ reason: "timeout" });
  });

  test("does not read without end", async () => {
    const part = `"${"x".repeat(1_000_000)}",`;
    provider.behave((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on("drain", more);
      more();
    });
    expect((await verify({ base_url: `${provider.origin}/v1` })).body).toMatchObject({
      ok: false,
      reason: "too_large",
    });
  });
});

describe("a local runtime on this machine", () => {
  test("is found with its version and models", async () => {
    provider.behave(tagging("tiny:1b", "small:8b"));
    expect(await findLocalRuntime(await contextFor(world, admin), provider.origin)).toEqual({
      found: true,
      base_url: provider.origin,
      version: "0.9.1",
      models: ["tiny:1b", "small:8b"],
    });
  });

  test("is found without a version, and without models", async () => {
    provider.behave(at("/api/tags", answering(200, '{"models":null}')));
    expect(await findLocalRuntime(await contextFor(world, admin), provider.origin)).toEqual({
      found: true,
      base_url: provider.origin,
      models: [],
    });
  });

  test("is not found where nothing, or something else, or nobody in time answers", async () => {
    const ctx = await contextFor(world, admin);
    const dead = await deadOrigin();
    expect(await findLocalRuntime(ctx, dead)).toEqual({ found: false, base_url: dead });
    provider.behave(answering(200, "<html></html>", { "content-type": "text/html" }));
    expect((await findLocalRuntime(ctx, provider.origin)).found).toBe(false);
    provider.behave(hanging);
    expect((await findLocalRuntime(ctx, provider.origin, 40)).found).toBe(false);
  });

  test("is looked for where runtimes listen", async () => {
    const { status, body } = await world.call<LocalRuntime>(`${base}/local-runtime`, { as: admin });
    expect({ status, base_url: body.base_url }).toEqual({ status: 200, base_url: "http://127.0.0.1:11434" });
  });
});
