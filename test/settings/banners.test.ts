import { afterEach, beforeEach, expect, test } from "vitest";
import type { Banner } from "../../src/settings/banners/schema.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createWorld();
  [admin, ada] = [await world.admin(), await world.person()];
});
afterEach(() => world.close());

const path = "/api/v1/configs/banners";
const closed: Banner = {
  id: "a",
  type: "warning",
  title: "Harbour",
  content: "Closed on **Sunday**",
  dismissible: true,
  timestamp: 7,
};
const set = (banners: unknown, as = admin) => world.call<Banner[]>(path, { as, json: { banners } });
const list = async (as = ada) => (await world.call<Banner[]>(path, { as })).body;

test("banners are set by administrators, in Open WebUI's shape, and seen by everyone who is signed in", async () => {
  const open = { ...closed, id: "b", type: "info", title: null, i18n: null };
  const { i18n: _, ...shown } = open;
  expect(await set([open, closed])).toMatchObject({ status: 200, body: [shown, closed] });
  expect(await list()).toEqual([shown, closed]);
  const config = await world.call<{ banners?: Banner[] }>("/api/config", { as: ada });
  expect(config.body.banners).toEqual([shown, closed]);
  for (const as of [undefined, await world.person({ role: "pending" })])
    expect((await world.call<object>("/api/config", as ? { as } : {})).body).not.toHaveProperty("banners");
  expect((await set([], ada)).status).toBe(403);
  expect(await set([{ ...closed, title: "  " }])).toMatchObject({ body: [{ ...closed, title: null }] });
  expect((await set([])).body).toEqual([]);
  expect(await list()).toEqual([]);
});

test.each([
  ["no list", {}],
  ["an unknown kind", [{ ...closed, type: "loud" }]],
  ["no text", [{ ...closed, content: " \n" }]],
  ["a long text", [{ ...closed, content: "x".repeat(2001) }]],
  ["a title of two lines", [{ ...closed, title: "a\nb" }]],
  ["half a character", [{ ...closed, content: "\ud800" }]],
  ["one id twice", [closed, closed]],
  ["too many", Array.from({ length: 21 }, (_, at) => ({ ...closed, id: `${at}` }))],
])("banners with %s are refused, and those before stay", async (_, given) => {
  await set([closed]);
  expect((await set(given)).status).toBe(422);
  expect(await list()).toEqual([closed]);
});

test("two administrators who save at once leave the banners of one of them", async () => {
  const other = await world.admin();
  const [one, two] = ["one", "two"].map((id) => [
    { ...closed, id },
    { ...closed, id: `${id}, too` },
  ]);
  await Promise.all([set(one), set(two, other)]);
  expect([one, two]).toContainEqual(await list());
});
