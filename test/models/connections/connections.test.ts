import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditEvents } from "../../../src/audit/tables.ts";
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
  world = await createWorld({
    environment: {
      OPENAI_API_BASE_URLS: "https://one.invalid/v1/;https://two.invalid",
      OPENAI_API_KEYS: "sk-first-secret;",
      LOCALMODEL_BASE_URLS: "http://127.0.0.1:1/v1",
    },
  });
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
const patch = (id: string, json: unknown) =>
  world.call<ConnectionView & Problem>(`${base}/${id}`, { as: admin, method: "PATCH", json });
const get = async (id: string) => (await world.call<ConnectionView>(`${base}/${id}`, { as: admin })).body;
const verify = (json: unknown) => world.call<TrialResult & Problem>(`${base}/verify`, { as: admin, json });
const row = async (id: string) => (await world.db.select().from(connections).where(eq(connections.id, id)))[0]!;

describe("connections", () => {
  test("are for administrators only", async () => {
    const person = await world.person();
    const { body } = await create();
    for (const [method, path] of [
      ["GET", base],
      ["POST", base],
      ["POST", `${base}/verify`],
      ["GET", `${base}/local-runtime`],
      ["GET", `${base}/${body.id}`],
      ["PATCH", `${base}/${body.id}`],
      ["DELETE", `${base}/${body.id}`],
    ] as const) {
      const json =
        method === "GET" || method === "DELETE" ? {} : { json: { base_url: "http://127.0.0.1:1", name: "x" } };
      expect((await world.call(path, { method, ...json, as: person })).status, `${method} ${path}`).toBe(403);
      expect((await world.call(path, { method, ...json })).status, `${method} ${path}`).toBe(401);
    }
    expect(await get(body.id)).toMatchObject({ name: body.name });
  });

  test("of the environment are listed first, locked, with ids that stay", async () => {
    const { body: made } = await create({ name: "Harbour" });
    const { body } = await world.call<ConnectionView[]>(base, { as: admin });
    expect(body.map(({ id, kind, base_url, has_key, locked }) => ({ id, kind, base_url, has_key, locked }))).toEqual([
      { id: "env-openai-0", kind: "openai", base_url: "https://one.invalid/v1", has_key: true, locked: true },
      { id: "env-openai-1", kind: "openai", base_url: "https://two.invalid", has_key: false, locked: true },
      { id: "env-local-0", kind: "local", base_url: "http://127.0.0.1:1", has_key: false, locked: true },
      { id: made.id, kind: "openai", base_url: `${provider.origin}/v1`, has_key: true, locked: false },
    ]);
    expect(await patch("env-openai-0", { name: "x" })).toMatchObject({ status: 403, body: { code: "setting_locked" } });
    expect(await world.call(`${base}/env-openai-0`, { as: admin, method: "DELETE" })).toMatchObject({ status: 403 });
    expect(await world.call(`${base}/env-openai-0`, { as: admin })).toMatchObject({
      status: 200,
      body: { locked: true },
    });
  });

  test("never give keys or header values away: not in answers, rows, audit entries or logs", async () => {
    const header = "Basic aGFyYm91cjpzZWNyZXQ=";
    const { body } = await create({ headers: { Authorization: header, "X-Team": "harbour-team-7" } });
    provider.behave(
      answering(401, JSON.stringify({ error: { message: `Incorrect API key provided: ${key}; ${header}` } })),
    );
    const answers = [
      body,
      await get(body.id),
      (await world.call(base, { as: admin })).body,
      (await patch(body.id, { headers: { Authorization: "********", "X-Other": "harbour-other-8" } })).body,
      (await verify({ id: body.id })).body,
      (await world.call("/api/models?refresh=true", { as: admin })).body,
      (await create({ headers: { Host: "harbour-host-9" } })).body,
    ];
    await world.settled();
    const audit = await world.db.select().from(auditEvents);
    const seen = JSON.stringify([answers, await row(body.id), audit, world.logged, await get(body.id)]);
    for (const secret of [key, "aGFyYm91", "harbour-team-7", "harbour-other-8", "sk-first-secret"])
      expect(seen).not.toContain(secret);
    expect((await get(body.id)).headers).toEqual({ Authorization: "********", "X-Other": "********" });
    expect(audit.map((event) => event.action)).toEqual(["connection.created", "connection.updated"]);
  });

  test("are asked with key and headers, and a header wins over what follows from the key", async () => {
    await create({ headers: { authorization: "Basic Zm9v", "X-Team": "tide" } });
    await world.settled();
    expect(provider.headers.at(-1)).toMatchObject({ authorization: "Basic Zm9v", "x-team": "tide" });
    await create();
    await world.settled();
    expect(provider.headers.at(-1)).toMatchObject({ authorization: `Bearer ${key}` });
  });

  test.each([
    [{ base_url: "not an address" }, "base_url"],
    [{ base_url: "ftp://host/v1" }, "base_url"],
    [{ base_url: "https://name:password@host/v1" }, "base_url"],
    [{ kind: "carrier-pigeon" }, "kind"],
    [{ key: "sk with spaces" }, "key"],
    [{ key: "sk-line\nbreak" }, "key"],
    [{ headers: { "Transfer-Encoding": "chunked" } }, "headers.Transfer-Encoding"],
    [{ headers: { connection: "close" } }, "headers.connection"],
    [{ headers: { Host: "elsewhere" } }, "headers.Host"],
    [{ headers: { "content-length": "5" } }, "headers.content-length"],
    [{ headers: { "proxy-authorization": "x" } }, "headers.proxy-authorization"],
    [{ headers: { "bad name": "x" } }, "headers.bad name"],
    [{ headers: { "X-A": "line\r\nX-B: injected" } }, "headers.X-A"],
    [{ headers: { "X-A": "1", "x-a": "2" } }, "headers.x-a"],
    [{ headers: { "X-A": "********" } }, "headers.X-A"],
    [{ prefix_id: "a/b" }, "prefix_id"],
  ])("refuse %j", async (values, path) => {
    const { status, body } = await create(values);
    expect({ status, path: body.issues?.[0]?.path }).toEqual({ status: 422, path });
    expect(await world.db.select().from(connections)).toEqual([]);
  });

  test("change only in what is named", async () => {
    const { body } = await create({
      name: "Harbour",
      headers: { "X-A": "one-secret" },
      prefix_id: "h",
      model_ids: ["tide"],
      tags: ["sea"],
    });
    const before = await row(body.id);
    const changed = await patch(body.id, { name: "Quay", enabled: false });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: "Quay", enabled: false, has_key: true, prefix_id: "h", model_ids: ["tide"], tags: ["sea"] },
    });
    const after = await row(body.id);
    expect({ ...after, name: before.name, enabled: true, updatedAt: before.updatedAt }).toEqual(before);
    expect(await patch(body.id, {})).toMatchObject({ status: 422 });
  });

  test("keep their key unless another, or none, is named", async () => {
    const { body } = await create();
    await patch(body.id, { base_url: `${provider.origin}/v1/` });
    expect(await world.services.vault.open((await row(body.id)).sealedKey!)).toBe(key);
    await patch(body.id, { key: "sk-second" });
    expect(await world.services.vault.open((await row(body.id)).sealedKey!)).toBe("sk-second");
    expect((await patch(body.id, { key: "" })).body.has_key).toBe(false);
    expect((await row(body.id)).sealedKey).toBeNull();
  });

  test("keep header values that come back masked, whatever their case, and drop those that are left out", async () => {
    const { body } = await create({ headers: { "X-A": "one", "X-B": "two" } });
    await patch(body.id, { headers: { "x-a": "********", "X-C": "three" } });
    expect(JSON.parse(await world.services.vault.open((await row(body.id)).sealedHeaders!))).toEqual({
      "x-a": "one",
      "X-C": "three",
    });
    await patch(body.id, { headers: {} });
    expect((await row(body.id)).sealedHeaders).toBeNull();
  });

  test("survive two administrators who edit at the same time: different fields stand both, headers are not undone unseen", async () => {
    const { body } = await create({ name: "Harbour", headers: { "X-A": "one" } });
    await Promise.all([
      patch(body.id, { name: "Quay" }),
      patch(body.id, { tags: ["sea"] }),
      patch(body.id, { prefix_id: "q" }),
    ]);
    expect(await get(body.id)).toMatchObject({ name: "Quay", tags: ["sea"], prefix_id: "q", has_key: true });
    const answers = await Promise.all([
      patch(body.id, { headers: { "X-A": "********", "X-B": "two" } }),
      patch(body.id, { headers: { "X-A": "********", "X-C": "three" } }),
    ]);
    const won = answers.filter((answer) => answer.status === 200);
    expect(answers.every((answer) => answer.status === 200 || answer.body.code === "conflict")).toBe(true);
    expect((await get(body.id)).headers).toEqual(won.at(-1)!.body.headers);
  });

  test("that are gone are 404 for every verb, and a deletion takes the state along", async () => {
    const { body } = await create();
    await world.settled();
    expect(await world.call(`${base}/${body.id}`, { as: admin, method: "DELETE" })).toMatchObject({ status: 200 });
    expect(
      (await world.client.execute("SELECT * FROM connection_checks WHERE connection_id NOT LIKE 'env-%'")).rows,
    ).toEqual([]);
    expect(await world.call(`${base}/${body.id}`, { as: admin, method: "DELETE" })).toMatchObject({ status: 404 });
    expect(await world.call(`${base}/${body.id}`, { as: admin })).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await patch(body.id, { name: "x" })).toMatchObject({ status: 404 });
    expect(await verify({ id: body.id })).toMatchObject({ status: 404 });
  });

  test("are asked when they are made or moved, so that their state is known", async () => {
    const { body } = await create();
    expect(body.status).toMatchObject({ state: "unknown", checked_at: null });
    await world.settled();
    expect((await get(body.id)).status).toMatchObject({ state: "ok", model_count: 2 });
    provider.behave(answering(500, "{}"));
    expect((await patch(body.id, { key: "sk-other" })).body.status.state).toBe("unknown");
    await world.settled();
    expect((await get(body.id)).status).toMatchObject({ state: "failed", reason: "provider_error", model_count: 0 });
  });

  test("whose secrets cannot be opened any more say so, and can be given new ones", async () => {
    const { body } = await create({ headers: { "X-A": "one" } });
    await world.settled();
    await world.db.update(connections).set({ sealedKey: "v1.lost.AAAA.AAAA" }).where(eq(connections.id, body.id));
    expect((await get(body.id)).status).toMatchObject({ state: "failed", reason: "secret_lost" });
    expect((await verify({ id: body.id })).body).toMatchObject({ ok: false, reason: "secret_lost" });
    expect(await patch(body.id, { key: "sk-new", headers: {} })).toMatchObject({
      status: 200,
      body: { has_key: true },
    });
    await world.settled();
    expect((await get(body.id)).status.state).toBe("ok");
  });
});

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
      /refused the key \(401\): Incorrect API key provided: \[redacted\]/,
    ],
    ["key_refused", answering(403, "{}"), /refused the key \(403\)/],
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
      error: expect.stringMatching(/Nothing answers at 127\.0\.0\.1:\d+/),
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
