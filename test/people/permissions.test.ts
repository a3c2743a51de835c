import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  allPermissions,
  effectivePermissions,
  factoryPermissions,
  type PartialPermissions,
} from "../../src/people/permissions.ts";
import { createWorld, type World } from "../world.ts";

const partial = fc.record(
  Object.fromEntries(
    Object.entries(factoryPermissions).map(([branch, leaves]) => [
      branch,
      fc.record(Object.fromEntries(Object.keys(leaves).map((leaf) => [leaf, fc.boolean()])), { requiredKeys: [] }),
    ]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<PartialPermissions>;

const leavesOf = (tree: object) =>
  Object.entries(tree).flatMap(([branch, leaves]) =>
    Object.entries(leaves as object).map(([leaf, value]) => [`${branch}.${leaf}`, value] as const),
  );

describe("effective permissions", () => {
  test("have every leaf, and groups only ever add", () => {
    fc.assert(
      fc.property(partial, fc.array(partial, { maxLength: 4 }), (defaults, groups) => {
        const without = new Map(leavesOf(effectivePermissions(defaults, [])));
        const withGroups = leavesOf(effectivePermissions(defaults, groups));
        expect(withGroups.map(([leaf]) => leaf)).toEqual(leavesOf(factoryPermissions).map(([leaf]) => leaf));
        expect(withGroups.filter(([leaf, value]) => without.get(leaf) && !value)).toEqual([]);
      }),
    );
  });

  test("do not depend on the order of groups", () => {
    fc.assert(
      fc.property(partial, fc.array(partial, { maxLength: 4 }), (defaults, groups) => {
        expect(effectivePermissions(defaults, [...groups].reverse())).toEqual(effectivePermissions(defaults, groups));
      }),
    );
  });

  test("of administrators are all that allow something, and none that takes something away", () => {
    const off = leavesOf(allPermissions).filter(([, value]) => value !== true);
    expect(off).toEqual([["chat.temporary_enforced", false]]);
  });
});

describe("default permissions", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.close());

  test("are replaced whole and hold from the next request on", async () => {
    const [admin, ada] = [await world.admin(), await world.person()];
    const mine = async () =>
      (await world.call<typeof factoryPermissions>("/api/v1/users/permissions", { as: ada })).body;
    expect(await mine()).toEqual(factoryPermissions);
    const changed = await world.call("/api/v1/users/default/permissions", {
      json: { workspace: { models: true }, chat: { delete: false } },
      as: admin,
    });
    expect(changed.body).toMatchObject({ workspace: { models: true }, chat: { delete: false, edit: true } });
    expect(await mine()).toEqual(changed.body);
    expect((await world.call("/api/config", { as: ada })).body).toMatchObject({
      permissions: { workspace: { models: true } },
    });
    // A save that leaves a leaf out does not grant it: neither what is off, nor what the save before granted.
    await world.call("/api/v1/users/default/permissions", { json: {}, as: admin });
    expect(await mine()).toEqual({ ...factoryPermissions, chat: { ...factoryPermissions.chat, delete: false } });
    await world.call("/api/v1/users/default/permissions", { json: { chat: { delete: true } }, as: admin });
    expect(await mine()).toEqual(factoryPermissions);
    expect((await world.client.execute("SELECT action FROM audit_events")).rows).toHaveLength(3);
    await world.settled();
    expect(new Set(world.live.rechecked)).toEqual(new Set([admin.id, ada.id]));
  });

  test("refuse leaves that decide nothing here, and name them", async () => {
    const { status, body } = await world.call("/api/v1/users/default/permissions", {
      json: { chat: { telepathy: true } },
      as: await world.admin(),
    });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain("telepathy");
  });

  test("of the factory are shown beside them", async () => {
    expect((await world.call("/api/v1/users/default/permissions/defaults", { as: await world.admin() })).body).toEqual(
      factoryPermissions,
    );
  });

  test("are told to an organization's administrators, who do not change them", async () => {
    const { id, token } = await world.person();
    await world.call(`/api/v1/users/${id}/update`, { json: { organization_role: "admin" }, as: await world.admin() });
    const path = "/api/v1/users/default/permissions";
    expect((await world.call(path, { as: { token } })).body).toEqual(factoryPermissions);
    expect((await world.request(path, { json: {}, as: { token } })).status).toBe(403);
  });

  test.each(["/api/v1/users/default/permissions", "/api/v1/users/default/permissions/defaults"])(
    "%s is for administrators",
    async (path) => {
      expect((await world.request(path, { as: await world.person() })).status).toBe(403);
    },
  );
});

describe("one's own documents", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.close());

  test.each([
    ["settings", { ui: {} }],
    ["info", {}],
  ])("%s start empty, and each key is replaced by itself", async (which, empty) => {
    const ada = await world.person();
    const read = async () => (await world.call(`/api/v1/users/user/${which}`, { as: ada })).body;
    const write = (json: unknown) => world.call(`/api/v1/users/user/${which}/update`, { json, as: ada });
    expect(await read()).toEqual(empty);
    expect(
      (await write({ ui: { theme: "dark", deep: [1, { a: null }] }, "odd.key-1:x": 'quote " and \\' })).status,
    ).toBe(200);
    await Promise.all([write({ one: 1 }), write({ two: null }), write({ three: true })]);
    expect(await read()).toEqual({
      ui: { theme: "dark", deep: [1, { a: null }] },
      "odd.key-1:x": 'quote " and \\',
      one: 1,
      two: null,
      three: true,
    });
    expect((await write({})).body).toEqual(await read());
    expect((await world.call(`/api/v1/users/user/${which}`, { as: await world.person() })).body).toEqual(empty);
  });

  test.each([
    [[1]],
    ["text"],
    [{ 'a"b': 1 }],
    [{ "": 1 }],
    [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1]))],
    [{ ui: "x" }],
    [{ ui: [1] }],
    [{ ui: 7, version: 1 }],
  ])("refuse %j with 422", async (json) => {
    expect((await world.call("/api/v1/users/user/settings/update", { json, as: await world.person() })).status).toBe(
      422,
    );
  });

  test("have an end", async () => {
    const ada = await world.person();
    const half = "x".repeat(120_000);
    expect((await world.call("/api/v1/users/user/info/update", { json: { a: half }, as: ada })).status).toBe(200);
    expect((await world.call("/api/v1/users/user/info/update", { json: { b: half }, as: ada })).status).toBe(413);
    expect(Object.keys((await world.call("/api/v1/users/user/info", { as: ada })).body)).toEqual(["a"]);
  });
});
