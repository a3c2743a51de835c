import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contextWith } from "../../../src/context.ts";
import { changeConnection } from "../../../src/models/connections/connections.ts";
import type { ConnectionView, TrialResult } from "../../../src/models/connections/schema.ts";
import { connections } from "../../../src/models/connections/tables.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import type { Vault } from "../../../src/ports.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { answering, listing, startProvider, type Provider } from "../provider.ts";

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

  test("follow their address by name until somebody names them", async () => {
    const { body } = await create({ name: "", base_url: "https://wrong.example/v1" });
    expect(body).toMatchObject({ name: "wrong.example" });
    expect(await patch(body.id, { base_url: "https://right.example/v1" })).toMatchObject({
      body: { name: "right.example" },
    });
    await patch(body.id, { name: "Harbour" });
    expect(await patch(body.id, { base_url: "https://other.example/v1" })).toMatchObject({ body: { name: "Harbour" } });
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
    // One of them has read the headers and is just sealing its own when the other's are stored.
    const ctx = await contextFor(world, admin);
    const seal: Vault["seal"] = async (text) => {
      await patch(body.id, { headers: { "X-A": "********", "X-B": "two" } });
      return ctx.vault.seal(text);
    };
    const late = contextWith(ctx, { vault: { ...ctx.vault, seal } });
    const change = { headers: { "X-A": "********", "X-C": "three" } };
    await expect(changeConnection(late, body.id, change)).rejects.toMatchObject({ code: "conflict" });
    expect(Object.keys((await get(body.id)).headers)).toEqual(["X-A", "X-B"]);
  });

  test("that are gone are 404 for every verb, and a deletion takes the state along", async () => {
    const { body } = await create();
    await world.settled();
    expect(await world.call(`${base}/${body.id}`, { as: admin, method: "DELETE" })).toMatchObject({ status: 200 });
    expect(
      (await world.client.execute("SELECT * FROM connection_checks WHERE connection_id NOT LIKE 'env-%'")).rows,
    ).toEqual([]);
    expect(await world.call(`${base}/${body.id}`, { as: admin, method: "DELETE" })).toMatchObject({ status: 404 });
    // Once, and with what it was: nobody can look it up any more.
    expect(
      await world.db
        .select({ detail: auditEvents.detail })
        .from(auditEvents)
        .where(eq(auditEvents.action, "connection.deleted")),
    ).toEqual([{ detail: { name: body.name, base_url: body.base_url, organization_id: null } }]);
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
