import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createWorld, type Person, type World } from "../world.ts";
import { answers, type Receiver, startReceiver } from "./start-receiver.ts";

let world: World;
let ada: Person;
let receiver: Receiver;
let address: string;

beforeAll(async () => {
  receiver = await startReceiver();
  address = `${receiver.url}?token=secret`;
  world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});
beforeEach(async () => {
  ada = await world.person();
  receiver.behave(answers(204));
  receiver.received.length = 0;
});

interface Target {
  id: string;
  enabled: boolean;
  delivery: string;
}
const base = "/api/v1/notifications";
const call = <T>(method: string, path: string, json?: object, as = ada) =>
  world.call<T & { detail?: string }>(`${base}${path}`, { as, method, ...(json ? { json } : {}) });
const add = (json: object) => call<Target>("POST", "/targets", json);
const list = async (as = ada) => (await call<{ targets: Target[] }>("GET", "/targets", undefined, as)).body.targets;

it("a person's webhook is the one target that they have, its address masked", async () => {
  expect(await list()).toEqual([]);
  const { body: made } = await add({ type: "webhook", events: ["chat.finished"], config: { url: address } });
  expect(made).toEqual({
    id: expect.any(String),
    type: "webhook",
    enabled: true,
    events: ["chat.finished"],
    delivery: "away",
    config: { url_masked: `${new URL(address).origin}/...` },
    is_default: true,
    created_at: expect.closeTo(Date.now() / 1000, -2),
    updated_at: expect.closeTo(Date.now() / 1000, -2),
  });
  expect(await list()).toEqual([made]);
  const settings = await world.call("/api/v1/users/user/settings", { as: ada });
  expect(settings.body).toMatchObject({ ui: { notifications: { webhook_url: address } } });

  // Clients send back what they were shown.
  const change = { enabled: false, delivery: "always", config: { url: `${new URL(address).origin}/...` } };
  const changed = await call<Target>("PUT", `/targets/${made.id}`, change);
  expect(changed.body).toMatchObject({ id: made.id, enabled: false, delivery: "always" });
  expect((await call<Target>("PUT", `/targets/${made.id}/default`)).body).toEqual(changed.body);
  const after = await world.call("/api/v1/users/user/settings", { as: ada });
  expect(after.body).toEqual(settings.body);

  expect((await call("DELETE", `/targets/${made.id}`)).body).toEqual({ ok: true });
  expect(await list()).toEqual([]);
  expect((await call("DELETE", `/targets/${made.id}`)).status).toBe(404);
  expect((await add({ config: { url: address } })).body).toMatchObject({ enabled: true, delivery: "away" });
});

it("a test says whether it was taken", async () => {
  const { id } = (await add({ config: { url: address } })).body;
  expect((await call("POST", `/targets/${id}/test`)).body).toEqual({ ok: true });
  expect(receiver.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([{ event: "test" }]);
  receiver.behave(answers(503));
  const refused = await call("POST", `/targets/${id}/test`);
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining("503")]);
});

it.each([
  [{}, "config.url"],
  [{ config: { url: "" } }, "config.url"],
  [{ config: { url: "http://10.0.0.1/" } }, "10.0.0.1"],
  [{ config: { url: "https://hooks.harbour.example/" }, events: ["calendar.alert"] }, "chat.finished"],
])("what makes no target is refused with 400 and in words: %j", async (json, words) => {
  const { status: answered, body } = await add(json);
  expect([answered, body.detail]).toEqual([400, expect.stringContaining(words)]);
  expect(await list()).toEqual([]);
});

it("a second one is refused, and those of others are not there", async () => {
  const { id } = (await add({ config: { url: address } })).body;
  expect((await add({ config: { url: address } })).status).toBe(400);
  const other = await world.person();
  expect(await list(other)).toEqual([]);
  for (const [method, path] of [
    ["PUT", `/targets/${id}`],
    ["DELETE", `/targets/${id}`],
    ["PUT", `/targets/${id}/default`],
    ["POST", `/targets/${id}/test`],
  ] as const)
    expect((await call(method, path, method === "PUT" && !path.endsWith("t") ? {} : undefined, other)).status).toBe(
      404,
    );
  expect(await list()).toHaveLength(1);
});

it("there are none while webhooks of people are switched off (404), or for whoever may have none (403)", async () => {
  const as = await world.admin();
  const set = (path: string, json: object) => world.call(path, { as, json });
  await set("/api/v1/auths/admin/config", { ENABLE_USER_WEBHOOKS: false });
  for (const path of ["/events", "/targets"]) expect((await call("GET", path)).status).toBe(404);
  await set("/api/v1/auths/admin/config", { ENABLE_USER_WEBHOOKS: null });
  await set("/api/v1/users/default/permissions", { features: { webhooks: false } });
  for (const path of ["/events", "/targets"]) expect((await call("GET", path)).status).toBe(403);
  await set("/api/v1/users/default/permissions", { features: { webhooks: true } });
  expect((await call<{ events: object[] }>("GET", "/events")).body.events).toEqual([
    { event: "chat.finished", label: expect.any(String), description: expect.any(String) },
  ]);
});
