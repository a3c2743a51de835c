import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEvents } from "../../src/people/audit/tables.ts";
import { plugins } from "../../src/plugins/tables.ts";
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

describe("valves", () => {
  test("change one by one, and go back to their defaults", async () => {
    const id = await make(politeFilter);
    expect((await get(`/id/${id}/valves`)).body).toEqual({});
    const { body: spec } = await get<{ properties: Body }>(`/id/${id}/valves/spec`);
    expect(Object.keys(spec.properties)).toEqual(["priority", "apiKey", "days", "word", "on"]);
    expect((await post(id, "valves/update", { days: "4", on: "False", priority: -2 })).body).toEqual({
      days: 4,
      on: false,
      priority: -2,
    });
    expect((await post(id, "valves/update", { apiKey: "sk-1", days: null })).body).toEqual({
      on: false,
      priority: -2,
      apiKey: "sk-1",
    });
    expect((await get(`/id/${id}`)).body["priority"]).toBe(-2);
    await post(id, "valves/update", { priority: null });
    expect((await get(`/id/${id}`)).body["priority"]).toBe(3);
    const row = (await world.db.select().from(plugins)).find((found) => found.id === id)!;
    expect(row.sealedValves).not.toContain("sk-1");
    expect(JSON.stringify(await world.db.select().from(auditEvents))).not.toContain("sk-1");
  });

  test.each([
    ["days", 9],
    ["days", 1.5],
    ["days", "many"],
    ["word", "now"],
    ["on", "maybe"],
    ["apiKey", 5],
    ["unknown", 1],
  ])("names %s where it does not fit (%j)", async (name, value) => {
    const id = await make(politeFilter);
    const { status, body } = await post(id, "valves/update", { [name]: value });
    expect([status, body["code"]]).toEqual([422, "validation_failed"]);
    expect(JSON.stringify(body)).toContain(`"${name}"`);
    expect((await get(`/id/${id}/valves`)).body).toEqual({});
  });

  test("all hold that change at the same time", async () => {
    const id = await make(politeFilter);
    const changes = [{ days: 4 }, { on: false }, { word: "kindly" }, { apiKey: "k" }];
    const answers = await Promise.all(changes.map((change) => post(id, "valves/update", change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get(`/id/${id}/valves`)).body).toEqual({ days: 4, on: false, word: "kindly", apiKey: "k" });
  });

  test("are there again when an older source comes back", async () => {
    const id = await make(politeFilter);
    await post(id, "valves/update", { days: 4, word: "kindly" });
    const without = politeFilter
      .replace(/ {2}\/\*\* @min[^\n]*\n[^\n]*days[^\n]*\n/, "")
      .replace('"kindly"', '"gladly"');
    expect((await post(id, "update", { content: without })).status).toBe(200);
    expect((await get(`/id/${id}/valves`)).body).toEqual({ word: "kindly" });
    expect((await post(id, "valves/update", { on: false })).status).toBe(422);
    await post(id, "update", { content: politeFilter });
    expect((await get(`/id/${id}/valves`)).body).toEqual({ days: 4, word: "kindly" });
  });

  test("of a person are that person's; administrators can set theirs before the function is on", async () => {
    const id = await make(politeFilter);
    expect((await get(`/id/${id}/valves/user`, user)).status).toBe(404);
    expect((await post(id, "valves/user/update", { tone: "warm" }, admin)).body).toEqual({ tone: "warm" });
    await post(id, "toggle");
    expect((await get(`/id/${id}/valves/user/spec`, user)).body).toMatchObject({ properties: { tone: {} } });
    const both = await Promise.all([
      post(id, "valves/user/update", { tone: "cool" }, user),
      post(id, "valves/user/update", { loud: true }, user),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await get(`/id/${id}/valves/user`, user)).body).toEqual({ tone: "cool", loud: true });
    // The same where there are some already.
    await Promise.all([
      post(id, "valves/user/update", { tone: "warm" }, user),
      post(id, "valves/user/update", { loud: false }, user),
    ]);
    expect((await get(`/id/${id}/valves/user`, user)).body).toEqual({ tone: "warm", loud: false });
    expect((await get(`/id/${id}/valves/user`, admin)).body).toEqual({ tone: "warm" });
    expect((await post(id, "valves/user/update", { loud: "x" }, user)).status).toBe(422);
    expect((await get(`/id/${id}/valves`, user)).status).toBe(403);
  });

  test("are refused by a function that has none", async () => {
    const id = await make(echoPipe);
    expect((await get(`/id/${id}/valves/spec`)).body).toBeNull();
    expect((await post(id, "valves/update", { a: 1 })).status).toBe(400);
  });
});
