import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServices } from "../../src/context.ts";
import { openPlugin } from "../../src/plugins/open-plugin.ts";
import type { PluginCall, PluginCode, PluginTraffic } from "../../src/plugins/plugin-host.ts";
import { selectPluginIndex } from "../../src/plugins/plugin-index.ts";
import type { PluginOverview } from "../../src/plugins/schema.ts";
import { pluginContacts, pluginDays } from "../../src/plugins/tables.ts";
import { flushPluginUse, keptDays, sweepPluginUse } from "../../src/plugins/use/write-use.ts";
import { contextFor } from "../models/context-for.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { createNodePluginHost } from "./node-plugin-host.ts";
import { adderTools } from "./sources.ts";

let world: World;
let admin: Person;
let ada: Person;
/** The last session that was opened, to tell of traffic as the host does. */
let opened: PluginCode | undefined;

beforeAll(async () => {
  const host = createNodePluginHost();
  const open: typeof host.open = (code) => host.open((opened = code));
  world = await createWorld({ services: { plugins: { ...host, open } } });
  admin = await world.admin();
  ada = await world.person();
  await world.call("/api/v1/users/default/permissions", { as: admin, json: { workspace: { tools: true } } });
  for (const id of ["adder", "limited", "deleted", "stolen"])
    await world.call("/api/v1/tools/create", { as: admin, json: { id, name: id, content: adderTools } });
});
afterAll(() => world.close());

const call: Omit<PluginCall, "method" | "args"> = {
  reserved: {},
  capabilities: { emit: async () => undefined, call: async () => undefined, request: async () => undefined },
  signal: new AbortController().signal,
  timeoutMs: 5000,
};
async function open(id: string) {
  const entry = (await selectPluginIndex(world.db)).find((each) => each.id === id)!;
  return openPlugin(await contextFor(world, admin), entry);
}
const overview = async (id: string, as = admin) =>
  world.call<PluginOverview>(`/api/v1/tools/id/${id}/overview`, { as });
const change = (id: string, json: unknown, as = admin) =>
  world.call<Record<string, unknown>>(`/api/v1/tools/id/${id}/update`, { as, json });
const traffic = (host: string, part: Partial<PluginTraffic["hosts"][number]> = {}): PluginTraffic => ({
  hosts: [{ host, isRefused: false, requests: 1, bytesOut: 10, bytesIn: 100, ...part }],
  memory: 0,
});

describe("what plugins do", () => {
  test("is added up without a round trip for a call, and written in one", async () => {
    const session = await open("adder");
    await session.call({ ...call, method: "add", args: { a: 1, b: 2 } });
    await world.settled();
    world.roundTrips.reset();
    for (let times = 0; times < 20; times++) await session.call({ ...call, method: "add", args: { a: 1, b: 2 } });
    await session.call({ ...call, method: "fail", args: {} });
    opened!.onTraffic!(traffic("api.example"));
    opened!.onTraffic!({ ...traffic("evil.example", { isRefused: true, bytesOut: 0, bytesIn: 0 }), memory: 5e7 });
    await world.settled();
    expect(world.roundTrips.count).toBe(0);
    expect(world.roundTrips.ledger).toBeLessThanOrEqual(2);
    const { body } = await overview("adder");
    expect(body.days).toMatchObject([{ calls: 22, errors: 1, bytes_out: 10, bytes_in: 100, memory: 50_000_000 }]);
    expect(body.days[0]!.day).toBe(new Date(world.services.now() * 1000).toISOString().slice(0, 10));
    expect(body.contacts).toMatchObject([
      { host: "api.example", refused: false, requests: 1 },
      { host: "evil.example", refused: true, requests: 1 },
    ]);
    session.close();
  });

  test("is nothing but counts, whatever a plugin's process says", async () => {
    const session = await open("limited");
    const lies = [
      { hosts: "all", memory: -1 },
      {
        hosts: [{ host: 7 }, { host: "x\ud800".repeat(500), requests: 1e300, bytesIn: -5, bytesOut: "9" }],
        memory: NaN,
      },
      { hosts: Array.from({ length: 2000 }, (_, n) => ({ host: `h${n}`, requests: 1 })), memory: 1 },
    ];
    for (const lie of lies) opened!.onTraffic!(lie as unknown as PluginTraffic);
    await flushPluginUse(world.services);
    const { status, body } = await overview("limited");
    expect(status).toBe(200);
    expect(body.contacts.length).toBeLessThanOrEqual(200);
    expect(body.days).toMatchObject([{ bytes_out: 0, bytes_in: 0, memory: 1 }]);
    session.close();
  });

  test("waits while the database fails, and is written then", async () => {
    const session = await open("adder");
    const before = (await overview("adder")).body.days[0]!.calls;
    const { db } = world.services;
    const away = new Proxy(db, {
      get: (target, name) =>
        name === "batch" ? () => Promise.reject(new Error("away")) : Reflect.get(target, name, target),
    });
    await session.call({ ...call, method: "add", args: { a: 1, b: 2 } });
    await flushPluginUse(createServices({ db: away, replica: away }, world.services));
    await flushPluginUse(world.services);
    expect((await overview("adder")).body.days[0]!.calls).toBe(before + 1);
    session.close();
  });

  test("is gone with the plugin, and after some weeks", async () => {
    const session = await open("deleted");
    opened!.onTraffic!(traffic("api.example"));
    await flushPluginUse(world.services);
    opened!.onTraffic!(traffic("api.example"));
    await world.call("/api/v1/tools/id/deleted/delete", { as: admin, method: "DELETE" });
    await flushPluginUse(world.services);
    expect((await world.db.select().from(pluginDays)).some(({ pluginId }) => pluginId === "deleted")).toBe(false);
    world.advance((keptDays + 2) * 86_400);
    await sweepPluginUse(world.services);
    expect(await world.db.select().from(pluginDays)).toEqual([]);
    expect(await world.db.select().from(pluginContacts)).toEqual([]);
    session.close();
  });
});

describe("budgets", () => {
  test("are set by administrators, kept with the plugin, and told to the host", async () => {
    const budget = { calls_per_minute: 2, seconds_per_call: 1, bytes_out_per_minute: 1000 };
    expect((await change("limited", { budget })).status).toBe(200);
    expect((await overview("limited")).body.budget).toEqual(budget);
    (await open("limited")).close();
    expect(opened!.budget).toEqual({ callsPerMinute: 2, secondsPerCall: 1, bytesOutPerMinute: 1000 });
    await change("limited", { budget: null });
    expect((await overview("limited")).body.budget).toMatchObject({ calls_per_minute: null });
  });

  test("of time end a call, and say so", async () => {
    const content = "export class Tools { async wait() { await new Promise((done) => setTimeout(done, 60000)); } }";
    await world.call("/api/v1/tools/create", { as: admin, json: { id: "slow", name: "Slow", content } });
    await change("slow", { budget: { seconds_per_call: 1 } });
    const session = await open("slow");
    expect(await session.call({ ...call, method: "wait", args: {} })).toMatchObject({
      ok: false,
      error: { code: "budget", message: "Its budget of 1 seconds for a call is used up" },
    });
    session.close();
  });

  test("are not their author's", async () => {
    await world.call("/api/v1/tools/create", { as: ada, json: { id: "own", name: "Own", content: adderTools } });
    expect((await change("own", { budget: null }, ada)).status).toBe(403);
    expect((await change("own", { budget: { calls_per_minute: 5 } })).status).toBe(200);
    expect((await overview("own", ada)).body).toMatchObject({ may_approve: false, trusted: false });
    for (const budget of [{ calls_per_minute: 0 }, { seconds_per_call: 1.5 }, "all", { bytes_out_per_minute: 1e18 }])
      expect((await change("own", { budget })).status).toBe(422);
  });
});

test("a tool that is switched off is left out and does not run", async () => {
  expect((await change("stolen", { is_off: true })).body).toMatchObject({ is_off: true });
  await expect(open("stolen")).rejects.toMatchObject({ code: "plugins_disabled" });
  const { attachPluginTools } = await import("../../src/chat/tools/attach-plugin-tools.ts");
  const attached = await attachPluginTools(await contextFor(world, admin), ["stolen", "adder"], { reserved: {} });
  expect(attached.notes).toEqual(["The tool stolen is switched off."]);
  expect(attached.tools.every(({ source }) => source.id === "adder")).toBe(true);
  attached.close();
  await change("stolen", { is_off: false });
  (await open("stolen")).close();
});

test("what other people have is not told, and its hosts are proposed until they are allowed", async () => {
  expect((await overview("adder", ada)).status).toBe(404);
  expect((await overview("nothing")).status).toBe(404);
  const content =
    'export class Tools { async go() { await fetch("https://a.example"); await fetch("https://b.c.example"); } }';
  await world.call("/api/v1/tools/create", { as: admin, json: { id: "calling", name: "Calling", content } });
  expect((await overview("calling")).body).toMatchObject({ hosts: [], proposed_hosts: ["a.example", "b.c.example"] });
  await change("calling", { hosts: ["*.c.example"] });
  expect((await overview("calling")).body.proposed_hosts).toEqual(["a.example"]);
  await change("calling", { hosts: ["*"] });
  expect((await overview("calling")).body.proposed_hosts).toEqual([]);
});
