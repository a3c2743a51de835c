import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEvents } from "../../src/people/audit/tables.ts";
import { maxSourceLength } from "../../src/plugins/schema.ts";
import { plugins, pluginUserValves, pluginVersions } from "../../src/plugins/tables.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { echoPipe, politeFilter } from "./sources.ts";

type Body = Record<string, unknown>;

let world: World;
let admin: Person;
let user: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  user = await world.person();
});
afterAll(() => world.close());

const base = "/api/v1/functions";
let next = 0;

async function make(content: string, more: Body = {}): Promise<string> {
  const id = `made_${next++}`;
  const { status, body } = await world.call(`${base}/create`, {
    as: admin,
    json: { id, name: "Made", content, meta: {}, ...more },
  });
  expect([status, body]).toEqual([200, body]);
  return id;
}
const post = <T = Body>(id: string, what: string, json: unknown = {}, as: Person = admin) =>
  world.call<T>(`${base}/id/${id}/${what}`, { as, json });
const get = <T = Body>(path: string, as: Person = admin) => world.call<T>(`${base}${path}`, { as });

describe("making a function", () => {
  test("finds out what it is, and begins switched off", async () => {
    const { status, body } = await world.call(`${base}/create`, {
      as: admin,
      json: { id: "Echo_Pipe", name: "Echo", content: echoPipe, meta: { tags: ["x"], manifest: { title: "forged" } } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "echo_pipe",
      user_id: admin.id,
      type: "pipe",
      language: "javascript",
      name: "Echo",
      content: echoPipe,
      meta: {
        description: "Says it again",
        tags: ["x"],
        manifest: { title: "Echo", description: "Says it again", version: "0.1.0" },
      },
      is_active: false,
      is_global: false,
      version: 1,
      hosts: [],
      has_valves: false,
      has_user_valves: false,
      toggle: false,
      priority: 0,
    });
    expect((await get("/id/echo_pipe")).body).toEqual(body);
  });

  test("takes sources as large as they may be, wherever a source goes", async () => {
    const large = `${echoPipe}\n// ${"tide ".repeat(300_000)}`;
    const id = await make(large);
    expect((await post(id, "update", { content: `${large}x` })).body).toMatchObject({ version: 2 });
    const check = await world.call<Body>(`${base}/check`, { as: admin, json: { content: large } });
    expect(check.body).toMatchObject({ ok: true, problems: [] });
    const tooLarge = await post(id, "update", { content: "x".repeat(maxSourceLength + 1) });
    expect(tooLarge.status).toBe(422);
  });

  test("takes the priority out of the valves", async () => {
    const id = await make(politeFilter);
    expect((await get(`/id/${id}`)).body).toMatchObject({ type: "filter", priority: 3, has_user_valves: true });
  });

  test.each(["", "a-b", "ä", "a b", "x".repeat(101), "../x", "a.b"])("refuses the id %j", async (id) => {
    const { status, body } = await world.call(`${base}/create`, {
      as: admin,
      json: { id, name: "x", content: echoPipe },
    });
    expect([status, body["code"]]).toEqual([400, "bad_request"]);
  });

  test("refuses an id that is taken, whatever its case", async () => {
    const id = await make(echoPipe);
    const again = await world.call(`${base}/create`, {
      as: admin,
      json: { id: id.toUpperCase(), name: "x", content: echoPipe },
    });
    expect([again.status, again.body["code"]]).toEqual([400, "bad_request"]);
  });

  test("lets one of two have an id that both want", async () => {
    const create = () =>
      world.call(`${base}/create`, { as: admin, json: { id: "wanted", name: "x", content: echoPipe } });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const rows = (await world.db.select().from(pluginVersions)).filter((row) => row.pluginId === "wanted");
    expect(rows).toHaveLength(1);
  });

  test("says with the line what keeps a source from being one", async () => {
    const { status, body } = await world.call<{ code: string; errors: Body[]; detail: string }>(`${base}/create`, {
      as: admin,
      json: { id: "broken", name: "x", content: "export class Pipe {\n  pipe( {\n}" },
    });
    expect([status, body.code]).toEqual([400, "plugin_invalid"]);
    expect(JSON.stringify(body)).toMatch(/Line 3/);
    expect((await get("/id/broken")).status).toBe(404);
  });

  test("refuses tools among functions, and sources without a plugin", async () => {
    for (const content of ["export class Tools { a() {} }", "export const a = 1", "   "]) {
      const { status, body } = await world.call(`${base}/create`, {
        as: admin,
        json: { id: "no", name: "x", content },
      });
      expect([status, body["code"]]).toEqual([400, "plugin_invalid"]);
    }
  });

  test("says so where the host cannot be reached, and where plugins are off", async () => {
    const down = await createWorld({
      services: {
        plugins: {
          describe: () => Promise.reject(new Error("down")),
          open: () => {
            throw new Error("down");
          },
        },
      },
    });
    const off = await createWorld({ environment: { ENABLE_PLUGINS: "false" } });
    try {
      for (const [where, expected] of [
        [down, [503, "plugin_unavailable"]],
        [off, [403, "plugins_disabled"]],
      ] as const) {
        const { status, body } = await where.call(`${base}/create`, {
          as: await where.admin(),
          json: { id: "a", name: "x", content: echoPipe },
        });
        expect([status, body["code"]]).toEqual(expected);
      }
    } finally {
      await down.close();
      await off.close();
    }
  });

  test.each([
    ["nothing", undefined],
    ["another type", { type: "event" }],
    ["no manifest", { manifest: undefined }],
    ["a manifest of numbers", { manifest: { title: 5 } }],
    ["functions without names", { specs: [{}] }],
    ["valves that are a list", { valvesSchema: [] }],
    ["models that are none", { pipes: [5] }],
    ["more than memory should hold", { manifest: { title: "x".repeat(400_000) } }],
  ])("believes no isolate that its plugin has talked into %s", async (_what, lie) => {
    const real = world.services.plugins;
    const lying = await createWorld({
      services: {
        plugins: {
          ...real,
          async describe(source, packages) {
            const { code, info, problems } = await real.describe(source, packages);
            return { code, info: lie && ({ ...info, ...lie } as typeof info), problems };
          },
        },
      },
    });
    try {
      const { status, body } = await lying.call(`${base}/create`, {
        as: await lying.admin(),
        json: { id: "liar", name: "x", content: echoPipe },
      });
      expect([status, body["code"]]).toEqual([400, "plugin_invalid"]);
    } finally {
      await lying.close();
    }
  });

  test("keeps hosts in one spelling, and refuses what is none", async () => {
    const hosts = [
      "API.example.com",
      "api.example.com",
      "api.example.com:8443",
      "*.example.org",
      "bücher.example",
      "*",
    ];
    const id = await make(echoPipe, { hosts });
    expect((await get(`/id/${id}`)).body["hosts"]).toEqual([
      "api.example.com",
      "api.example.com:8443",
      "*.example.org",
      "xn--bcher-kva.example",
      "*",
    ]);
    for (const host of [
      "https://a.example",
      "a.example/x",
      "**",
      "*:443",
      "*.com",
      "a b",
      "",
      "a.example:99999",
      "a.*.b",
    ]) {
      const { status, body } = await post(id, "update", { hosts: [host] });
      expect([host, status, body["code"]]).toEqual([host, 422, "validation_failed"]);
    }
  });
});

describe("changing a function", () => {
  test("changes what is named, and makes a version of a new source only", async () => {
    const id = await make(echoPipe, { hosts: ["a.example"] });
    const renamed = await post(id, "update", { name: "Renamed", meta: { description: "Own words" } });
    expect(renamed.body).toMatchObject({ name: "Renamed", version: 1, hosts: ["a.example"] });
    expect(renamed.body["meta"]).toMatchObject({ description: "Own words", manifest: { title: "Echo" } });
    const same = await post(id, "update", { content: echoPipe });
    expect(same.body).toMatchObject({ version: 1 });
    const other = echoPipe.replace("echo ", "again ");
    expect((await post(id, "update", { content: other, version: 1 })).body).toMatchObject({
      version: 2,
      content: other,
      name: "Renamed",
    });
    const { body } = await get<{ versions: Body[] }>(`/id/${id}/versions`);
    expect(body.versions).toEqual([
      { version: 2, created_at: expect.any(Number), user: { id: admin.id, name: admin.name }, current: true },
      { version: 1, created_at: expect.any(Number), user: { id: admin.id, name: admin.name }, current: false },
    ]);
    expect((await get(`/id/${id}/versions/1`)).body).toEqual({ content: echoPipe });
    expect((await get(`/id/${id}/versions/3`)).status).toBe(404);
  });

  test("refuses a change of an older version, and lets one of two at the same time through", async () => {
    const id = await make(echoPipe);
    const change = (text: string) => post(id, "update", { content: echoPipe.replace("echo", text), version: 1 });
    const answers = await Promise.all([change("one"), change("two"), change("three")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await change("late")).status).toBe(409);
    const versions = (await world.db.select().from(pluginVersions)).filter((row) => row.pluginId === id);
    expect(versions.map(({ version }) => version)).toEqual([1, 2]);
    expect((await get(`/id/${id}`)).body).toMatchObject({ version: 2, content: versions[1]!.source });
  });

  test("keeps fifty versions", async () => {
    const id = await make(echoPipe);
    for (let n = 0; n < 52; n++) await post(id, "update", { content: echoPipe.replace("echo", `echo${n}`) });
    const { body } = await get<{ versions: { version: number }[] }>(`/id/${id}/versions`);
    expect(body.versions).toHaveLength(50);
    expect(body.versions[0]!.version).toBe(53);
  });

  test("keeps a filter a filter", async () => {
    const id = await make(politeFilter);
    const { status, body } = await post(id, "update", { content: echoPipe });
    expect([status, body["code"]]).toEqual([400, "plugin_invalid"]);
    expect((await get(`/id/${id}`)).body).toMatchObject({ type: "filter", version: 1 });
  });

  test("moves the fingerprint with code, valves and hosts, and with nothing else", async () => {
    const id = await make(politeFilter);
    const print = async () => (await world.db.select().from(plugins)).find((row) => row.id === id)!.fingerprint;
    const moved = async (work: () => Promise<{ status: number }>) => {
      const before = await print();
      expect((await work()).status).toBe(200);
      return (await print()) !== before;
    };
    expect(await moved(() => post(id, "update", { name: "x", meta: {}, hosts: [] }))).toBe(false);
    expect(await moved(() => post(id, "toggle"))).toBe(false);
    expect(await moved(() => post(id, "update", { hosts: ["a.example"] }))).toBe(true);
    expect(await moved(() => post(id, "valves/update", { days: 3 }))).toBe(true);
    expect(await moved(() => post(id, "update", { content: `${politeFilter}\n` }))).toBe(true);
  });

  test("switches on and off, and lets filters work everywhere", async () => {
    const id = await make(politeFilter);
    expect((await post(id, "toggle")).body["is_active"]).toBe(true);
    expect((await post(id, "toggle/global")).body["is_global"]).toBe(true);
    expect((await post(id, "toggle")).body).toMatchObject({ is_active: false, is_global: true });
    const pipe = await make(echoPipe);
    expect((await post(pipe, "toggle/global")).status).toBe(400);
    expect((await post("unknown", "toggle")).status).toBe(404);
    expect((await post("unknown", "toggle/global")).status).toBe(404);
    const rows = await world.db.select().from(auditEvents);
    expect(
      rows.filter((row) => row.targetId === id && row.action === "function.toggled").map((row) => row.detail),
    ).toEqual([{ is_active: true }, { is_global: true }, { is_active: false }]);
  });

  test("is as the body says, however often and from whatever side it is asked", async () => {
    const id = await make(politeFilter);
    for (const wanted of [false, true, true, false]) {
      expect((await post(id, "toggle", { is_active: wanted })).body["is_active"]).toBe(wanted);
      expect((await post(id, "toggle/global", { is_global: wanted })).body["is_global"]).toBe(wanted);
    }
    expect((await post(id, "toggle", { is_active: "on" })).status).toBe(422);
    expect((await post(id, "toggle", {})).body).toMatchObject({ is_active: true, is_global: false });
  });

  test("leaves nothing when it is deleted", async () => {
    const id = await make(politeFilter);
    await post(id, "toggle");
    await post(id, "valves/update", { days: 3 });
    await post(id, "valves/user/update", { tone: "cool" }, user);
    const remove = () => world.call(`${base}/id/${id}/delete`, { method: "DELETE", as: admin });
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
    expect((await world.db.select().from(pluginVersions)).filter((row) => row.pluginId === id)).toEqual([]);
    expect((await world.db.select().from(pluginUserValves)).filter((row) => row.pluginId === id)).toEqual([]);
    expect((await get(`/id/${id}`)).status).toBe(404);
  });
});

test("others see the functions that are on, without their sources", async () => {
  const id = await make(echoPipe);
  const list = async (as: Person) => (await get<Body[]>("/", as)).body;
  expect((await list(admin)).map((item) => item["id"])).toContain(id);
  expect((await list(user)).map((item) => item["id"])).not.toContain(id);
  await post(id, "toggle");
  const shown = (await list(user)).find((item) => item["id"] === id)!;
  expect(shown).toMatchObject({ name: "Made", is_active: true });
  expect(shown).not.toHaveProperty("content");
  expect((await get(`/id/${id}`, user)).status).toBe(403);
});

test("what it costs: three round trips to make one, two to change its valves, none to list it again", async () => {
  const count = async (work: () => Promise<{ status: number }>) => {
    world.roundTrips.reset();
    expect((await work()).status).toBe(200);
    return world.roundTrips.count;
  };
  // The first is who asks.
  const json = { id: "counted", name: "x", content: politeFilter };
  expect(await count(() => world.call(`${base}/create`, { as: admin, json }))).toBe(3);
  expect(await count(() => post("counted", "valves/update", { days: 3 }))).toBe(3);
  expect(await count(() => post("counted", "update", { name: "y" }))).toBe(3);
  expect(await count(() => get("/"))).toBe(2);
  expect(await count(() => get("/"))).toBe(1);
});
