import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeEndpoint, getEndpoint } from "../../src/webhooks/endpoints.ts";
import { contextFor } from "../chat/conversations/context-for.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let ada: Person;
const url = "https://hooks.harbour.example/ada";

beforeAll(async () => {
  world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: "n8n.internal" } });
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
});

interface Settings {
  ui?: { notifications?: { webhook_url?: unknown }; theme?: string };
}
const read = async (as = ada) => (await world.call<Settings>("/api/v1/users/user/settings", { as })).body;
const save = (json: object, as = ada) =>
  world.call<Settings & { detail?: string }>("/api/v1/users/user/settings/update", { as, json });
const saveUrl = (webhook_url: unknown, as = ada) => save({ ui: { notifications: { webhook_url } } }, as);
const endpoint = async (of = ada) => getEndpoint(contextFor(world, of), "own");

describe("the address of a person's webhook stands in their settings", () => {
  it("as they set it there, and as they set it elsewhere", async () => {
    expect(await read()).toEqual({ ui: {} });
    const { body } = await save({ ui: { theme: "dark", notifications: { webhook_url: url, sound: true } } });
    expect(body).toEqual({ ui: { theme: "dark", notifications: { webhook_url: url, sound: true } } });
    expect(await endpoint()).toMatchObject({ url, is_enabled: true, is_always: false });

    await changeEndpoint(contextFor(world, ada), "own", { url: `${url}/2` });
    expect(await read()).toMatchObject({
      ui: { theme: "dark", notifications: { webhook_url: `${url}/2`, sound: true } },
    });
    await changeEndpoint(contextFor(world, ada), "own", { url: "" });
    expect(await read()).toEqual({ ui: { theme: "dark", notifications: { sound: true } } });
  });

  it("once, in the endpoint", async () => {
    await saveUrl(url);
    const { rows } = await world.client.execute({ sql: "SELECT settings FROM users WHERE id = ?", args: [ada.id] });
    expect(String(rows[0]!["settings"])).toBe('{"ui":{"notifications":{}}}');
  });

  it("until it is taken away, by an empty text or null; other saves leave it", async () => {
    await saveUrl(url);
    await save({ ui: { theme: "light" } });
    await save({ version: 2 });
    expect((await endpoint()).url).toBe(url);
    expect((await saveUrl("")).body.ui?.notifications).toEqual({});
    expect((await endpoint()).url).toBe("");
    await saveUrl(url);
    await saveUrl(null);
    expect((await endpoint()).url).toBe("");
  });

  it("and nothing is noted where it is the same", async () => {
    await saveUrl(url);
    const count = async () =>
      (await world.client.execute("SELECT count(*) FROM audit_events WHERE action = 'webhook.updated'")).rows[0]![0];
    const before = await count();
    await changeEndpoint(contextFor(world, ada), "own", { is_always: true });
    expect(await count()).toBe(Number(before) + 1);
    await saveUrl(url);
    expect(await count()).toBe(Number(before) + 1);
    expect(await endpoint()).toMatchObject({ is_always: true });
  });
});

it.each([
  "no address",
  "ftp://harbour.example/",
  "http://127.0.0.1/",
  "http://[::1]/",
  "http://2130706433/",
  "http://169.254.169.254/latest/meta-data",
  "https://localhost/",
  "https://db.internal/",
  "https://user:secret@harbour.example/",
  `https://harbour.example/${"x".repeat(3000)}`,
  7,
  { url },
])("an address that may not be called is refused with 400, and nothing is changed: %j", async (wrong) => {
  await saveUrl(url);
  const { status, body } = await save({ ui: { theme: "dark", notifications: { webhook_url: wrong } } });
  expect(status).toBe(400);
  expect(body.detail).toEqual(expect.any(String));
  expect(await read()).toEqual({ ui: { notifications: { webhook_url: url } } });
});

it("a private address that is listed may be called", async () => {
  expect((await saveUrl("https://n8n.internal/hook")).status).toBe(200);
  expect((await endpoint()).url).toBe("https://n8n.internal/hook");
});

it.each([
  ["settings", { ENABLE_USER_WEBHOOKS: false }, { ENABLE_USER_WEBHOOKS: null }, "/api/v1/auths/admin/config"],
  [
    "permission",
    { features: { webhooks: false } },
    { features: { webhooks: true } },
    "/api/v1/users/default/permissions",
  ],
])("whoever may have none neither sees nor changes it, and saves all else (%s)", async (_, off, on, path) => {
  await saveUrl(url);
  const as = await world.admin();
  expect((await world.call(path, { as, json: off })).status).toBe(200);
  expect(await read()).toEqual({ ui: { notifications: {} } });
  const { status, body } = await save({
    ui: { theme: "dark", notifications: { webhook_url: "https://elsewhere.example/" } },
  });
  expect([status, body]).toEqual([200, { ui: { theme: "dark", notifications: {} } }]);
  expect((await world.call(path, { as, json: on })).status).toBe(200);
  expect(await read()).toEqual({ ui: { theme: "dark", notifications: { webhook_url: url } } });
});
