import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditEvents } from "../../../../src/people/audit/tables.ts";
import type { ManagedApiKeyList } from "../../../../src/people/auth/api-keys/schema.ts";
import type { Person, World } from "../../../world.ts";
import { createKeyWorld, makeKey, type MadeKey } from "./key-world.ts";

const path = "/api/v1/auths/admin/api_keys";

let world: World;
let admin: Person;
let ada: Person;
let nora: Person;
let northAdmin: Person;
let keys: Record<"admin" | "ada1" | "ada2" | "nora", MadeKey>;
beforeEach(async () => {
  world = await createKeyWorld();
  admin = await world.admin();
  await world.client.execute(
    "INSERT INTO organizations (id, name, features, created_at, updated_at) VALUES ('north', 'North', '{}', 0, 0)",
  );
  ada = await world.person({ name: "Ada" });
  nora = await world.person({ name: "Nora", email: "nora@north.example", organizationId: "north" });
  northAdmin = await world.person({ name: "Nils", organizationId: "north" });
  await world.client.execute({
    sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?",
    args: [northAdmin.id],
  });
  keys = {
    admin: await makeKey(world, admin, "root"),
    ada1: await makeKey(world, ada, "100% backup"),
    ada2: await makeKey(world, ada, "bot"),
    nora: await makeKey(world, nora, "bot"),
  };
});
afterEach(() => world.close());

const list = async (query = "", as: Person | string = admin) =>
  (await world.call<ManagedApiKeyList>(`${path}${query}`, { as })).body;
const names = async (query: string, as: Person = admin) =>
  (await list(query, as)).api_keys.map((key) => `${key.user.name}: ${key.name}`);
const works = async (key: MadeKey) => (await world.request("/api/v1/users/groups", { as: key.api_key })).status === 200;
const remove = (suffix: string, as: Person | string = admin) =>
  world.call<{ deleted?: number; code?: string }>(`${path}${suffix}`, { method: "DELETE", as });

describe("the list", () => {
  test("shows whose each key is, newest first, without secrets", async () => {
    const body = await list();
    expect(body.total).toBe(4);
    expect(body.next_cursor).toBeNull();
    expect(body.api_keys.map((key) => key.id)).toEqual(
      [keys.nora, keys.ada2, keys.ada1, keys.admin].map(({ id }) => id),
    );
    expect(body.api_keys[0]).toEqual({
      id: keys.nora.id,
      name: "bot",
      hint: keys.nora.api_key.slice(-4),
      allowed_endpoints: null,
      created_at: keys.nora.created_at,
      expires_at: null,
      last_used_at: null,
      user: { id: nora.id, name: "Nora", email: "nora@north.example", kind: "person", organization_id: "north" },
    });
  });

  test.each([
    ["?query=bot", ["Nora: bot", "Ada: bot"]],
    ["?query=NORTH.example", ["Nora: bot"]],
    ["?query=%20ada%20", ["Ada: bot", "Ada: 100% backup"]],
    ["?query=0%25", ["Ada: 100% backup"]],
    ["?query=%25%25", []],
    ["?query=_", []],
    ["?query=%27", []],
  ])("%s finds %j", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test("finds a key by its last characters, and those of one person", async () => {
    expect((await list(`?query=${keys.ada1.api_key.slice(-4)}`)).api_keys.map(({ id }) => id)).toContain(keys.ada1.id);
    expect(await names(`?user_id=${ada.id}`)).toEqual(["Ada: bot", "Ada: 100% backup"]);
    expect(await names("?user_id=nobody")).toEqual([]);
  });

  test("comes in pages", async () => {
    const first = await list("?limit=3");
    expect([first.api_keys.length, first.total]).toEqual([3, 4]);
    await makeKey(world, ada, "later");
    const second = await list(`?limit=3&cursor=${encodeURIComponent(first.next_cursor!)}`);
    expect(second.api_keys.map((key) => key.name)).toEqual(["root"]);
    expect(second.next_cursor).toBeNull();
    for (const query of ["?limit=0", "?limit=101", "?limit=x"])
      expect((await world.call(`${path}${query}`, { as: admin })).status).toBe(422);
    expect((await world.call(`${path}?cursor=nonsense`, { as: admin })).status).toBe(400);
  });

  test("is for administrators; an organization's see only those of their people", async () => {
    expect((await world.call(path, { as: ada })).status).toBe(403);
    expect(await names("", northAdmin)).toEqual(["Nora: bot"]);
    expect((await list("", northAdmin)).total).toBe(1);
    expect(await names(`?user_id=${ada.id}`, northAdmin)).toEqual([]);
    await world.client.execute({ sql: "UPDATE users SET organization_id = 'north' WHERE id = ?", args: [admin.id] });
    expect(await names("", northAdmin)).toEqual(["Nora: bot"]);
  });
});

describe("revoking", () => {
  test("one key ends it at once", async () => {
    expect((await remove(`/${keys.ada1.id}`)).body).toBe(true);
    expect([await works(keys.ada1), await works(keys.ada2)]).toEqual([false, true]);
    expect(world.live.rechecked).toEqual([ada.id]);
    expect((await world.db.select().from(auditEvents)).at(-1)).toMatchObject({
      action: "api_key.deleted",
      actorId: admin.id,
      targetId: keys.ada1.id,
      detail: { name: "100% backup", user_id: ada.id },
    });
    expect((await remove(`/${keys.ada1.id}`)).status).toBe(404);
  });

  test("all of one person, or of nobody", async () => {
    expect((await remove(`?user_id=${ada.id}`)).body).toEqual({ deleted: 2 });
    expect((await remove(`?user_id=${ada.id}`)).body).toEqual({ deleted: 0 });
    expect((await remove("?user_id=nobody")).status).toBe(404);
    for (const misspelt of ["?user_id=", `?user=${ada.id}`, `?user_id=${ada.id}&limit=1`])
      expect((await remove(misspelt)).status).toBe(422);
    expect([await works(keys.ada1), await works(keys.ada2), await works(keys.nora)]).toEqual([false, false, true]);
  });

  test("all leaves none, and a row for each", async () => {
    expect((await remove("")).body).toEqual({ deleted: 4 });
    for (const key of Object.values(keys)) expect(await works(key)).toBe(false);
    const rows = (await world.db.select().from(auditEvents)).filter((row) => row.action === "api_key.deleted");
    expect(rows.map((row) => row.targetId).sort()).toEqual(
      Object.values(keys)
        .map(({ id }) => id)
        .sort(),
    );
    expect(rows.find((row) => row.targetId === keys.nora.id)!.organizationId).toBe("north");
    expect([...world.live.rechecked].sort()).toEqual([admin.id, ada.id, nora.id].sort());
  });

  test("by an organization's administrator touches only its own people, and no system administrator", async () => {
    await world.client.execute({ sql: "UPDATE users SET organization_id = 'north' WHERE id = ?", args: [admin.id] });
    for (const suffix of [`/${keys.ada1.id}`, `/${keys.admin.id}`, `?user_id=${ada.id}`, `?user_id=${admin.id}`])
      expect([suffix, (await remove(suffix, northAdmin)).status]).toEqual([suffix, 404]);
    expect((await remove("", northAdmin)).body).toEqual({ deleted: 1 });
    expect([await works(keys.nora), await works(keys.ada1), await works(keys.admin)]).toEqual([false, true, true]);
  });

  test("is for people who signed in and administer", async () => {
    for (const suffix of ["", `/${keys.nora.id}`, `?user_id=${nora.id}`]) {
      expect((await remove(suffix, ada)).status).toBe(403);
      expect((await remove(suffix, keys.admin.api_key)).status).toBe(403);
    }
    expect((await list("", keys.admin.api_key)).total).toBe(4);
  });
});
