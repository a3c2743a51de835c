import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

interface Listed {
  users: { id: string; name: string; email: string; group_ids: string[] }[];
  total: number;
  next_cursor: string | null;
}

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
});
afterEach(() => world.close());

const list = (query: Record<string, string> = {}) =>
  world.call<Listed>(`/api/v1/users/?${new URLSearchParams(query)}`, { as: admin });
const update = (id: string, json: Record<string, unknown>, as: Person = admin) =>
  world.call<{ role: string; active: boolean; code: string }>(`/api/v1/users/${id}/update`, { json, as });
const actions = async () =>
  (await world.client.execute("SELECT action, detail FROM audit_events ORDER BY id")).rows.map((row) => ({
    action: row.action,
    detail: JSON.parse(row.detail as string) as unknown,
  }));

describe("the list of people", () => {
  test("is sorted, pages by cursor without gaps or doubles, and counts everybody", async () => {
    for (const name of ["bob", "Ada", "carl", "ada", "Ädel"]) await world.person({ name });
    const seen: string[] = [];
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null) {
      const { status, body }: { status: number; body: Listed } = await list({
        order_by: "name",
        direction: "asc",
        limit: "2",
        ...(cursor ? { cursor } : {}),
      });
      expect(status).toBe(200);
      expect(body.total).toBe(6);
      seen.push(...body.users.map((user) => user.name));
      cursor = body.next_cursor;
      pages++;
    }
    expect(pages).toBe(3);
    expect(seen.map((name) => name.toLowerCase())).toEqual(["ada", "ada", "bob", "carl", "grace", "ädel"]);
  });

  test("goes on rightly among people of one second, down and up", async () => {
    for (let index = 0; index < 5; index++) await world.person();
    for (const direction of ["asc", "desc"]) {
      const first = (await list({ direction, limit: "4" })).body;
      const second = (await list({ direction, limit: "4", cursor: first.next_cursor! })).body;
      expect(new Set([...first.users, ...second.users].map((user) => user.id)).size).toBe(6);
      expect(second.next_cursor).toBeNull();
    }
  });

  test("takes a page number too", async () => {
    for (let index = 0; index < 4; index++) await world.person();
    const pages = await Promise.all(["1", "2", "3"].map((page) => list({ page, limit: "2" })));
    expect(pages.map((page) => page.body.users.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flatMap((page) => page.body.users.map((user) => user.id))).size).toBe(5);
  });

  test("shows the newest first by itself, thirty at once", async () => {
    const last = await world.person();
    const { body } = await list();
    expect(body.users.map((user) => user.id)).toEqual([last.id, admin.id]);
  });

  test.each([
    ["100%", ["100% Ada"]],
    ["_x_", ["a_x_b"]],
    ["ADA", ["100% Ada", "Ada"]],
    ["zed@", ["Zed"]],
    ["nobody", []],
    ["\\", []],
  ])("finds %j as a plain text in names and addresses", async (query, names) => {
    for (const name of ["100% Ada", "Ada", "a_x_b", "axxb"]) await world.person({ name });
    await world.person({ name: "Zed", email: "zed@harbour.example" });
    expect((await list({ query, order_by: "name", direction: "asc" })).body.users.map((user) => user.name)).toEqual(
      names,
    );
  });

  test("can be narrowed to a role", async () => {
    await world.person({ role: "pending" });
    expect((await list({ role: "pending" })).body.total).toBe(1);
    expect((await list({ role: "admin" })).body.total).toBe(1);
  });

  test("holds neither passwords, nor settings, nor pictures", async () => {
    const person = await world.person({ password: "correct horse" });
    await world.call("/api/v1/auths/update/profile", {
      json: { profile_image_url: `data:image/gif;base64,${btoa("GIF89a-picture")}` },
      as: person,
    });
    const text = JSON.stringify((await list()).body);
    expect(text).not.toMatch(/scrypt|base64|"settings"|"hash"/);
  });

  test.each([{ order_by: "password" }, { direction: "up" }, { page: "0" }, { limit: "1000" }, { role: "owner" }])(
    "refuses %j with 422",
    async (query) => {
      expect((await list(query as unknown as Record<string, string>)).status).toBe(422);
    },
  );

  test("refuses a cursor that is none", async () => {
    expect((await list({ cursor: "nonsense" })).status).toBe(400);
  });

  test("is for administrators, with or without the slash, and takes two round trips", async () => {
    const user = await world.person();
    expect((await world.request("/api/v1/users/", { as: user })).status).toBe(403);
    expect((await world.request("/api/v1/users", { as: admin })).status).toBe(200);
    world.roundTrips.reset();
    await list();
    expect(world.roundTrips.count).toBe(2);
  });

  test("in short holds everybody", async () => {
    await world.person({ name: "Bob" });
    const { body } = await world.call<Listed>("/api/v1/users/all", { as: admin });
    expect(body).toMatchObject({ total: 2, users: [{ name: "Bob", role: "user", active: true }, { name: "Grace" }] });
    expect((await world.request("/api/v1/users/all", { as: await world.person() })).status).toBe(403);
  });
});

describe("searching people", () => {
  beforeEach(() =>
    world.client.execute(
      "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES ('other', 'Other', 1, 0, NULL, '{}', 0, 0)",
    ),
  );

  test("offers those of one's own organization who can sign in", async () => {
    const ada = await world.person({ name: "Ada" });
    await world.person({ name: "Bob" });
    await world.person({ name: "Waiting", role: "pending" });
    await world.person({ name: "Off", active: false });
    await world.person({ name: "Stranger", organizationId: "other" });
    const { body } = await world.call<Listed>("/api/v1/users/search", { as: ada });
    expect(body.users.map((user) => user.name)).toEqual(["Ada", "Bob", "Grace"]);
    expect(body.total).toBe(3);
    expect(
      (await world.call<Listed>("/api/v1/users/search?query=bob", { as: ada })).body.users.map((user) => user.name),
    ).toEqual(["Bob"]);
  });

  test.each(["info", "active", "profile/image"])("does not show %s of people of another organization", async (what) => {
    const stranger = await world.person({ organizationId: "other" });
    const ada = await world.person();
    expect((await world.request(`/api/v1/users/${stranger.id}/${what}`, { as: ada })).status).toBe(404);
    expect((await world.request(`/api/v1/users/${stranger.id}/${what}`, { as: admin })).status).toBe(200);
    expect((await world.request(`/api/v1/users/nobody/${what}`, { as: admin })).status).toBe(404);
  });
});

describe("one person", () => {
  test("is shown to administrators with groups, and to others in short", async () => {
    const ada = await world.person({ name: "Ada" });
    expect((await world.call(`/api/v1/users/${ada.id}`, { as: admin })).body).toMatchObject({
      id: ada.id,
      email: ada.email,
      groups: [],
      active: true,
      is_active: true,
      organization_role: "member",
    });
    expect((await world.call(`/api/v1/users/${admin.id}/info`, { as: ada })).body).toEqual({
      id: admin.id,
      name: "Grace",
      kind: "person",
      email: "grace@harbour.example",
      role: "admin",
      active: true,
      organization_id: defaultOrganizationId,
      organization_role: "member",
      bio: null,
      groups: [],
      is_active: true,
      profile_image_url: `/api/v1/users/${admin.id}/profile/image`,
      status_emoji: null,
      status_message: null,
      status_expires_at: null,
    });
    expect((await world.request(`/api/v1/users/${admin.id}`, { as: ada })).status).toBe(403);
    expect((await world.request("/api/v1/users/nobody", { as: admin })).status).toBe(404);
    expect((await world.request("/api/v1/users/nobody/groups", { as: admin })).status).toBe(404);
  });

  test("counts as there for three minutes after a request", async () => {
    const ada = await world.person();
    expect((await world.call(`/api/v1/users/${ada.id}/active`, { as: admin })).body).toEqual({ active: true });
    world.advance(181);
    expect((await world.call(`/api/v1/users/${ada.id}/active`, { as: admin })).body).toEqual({ active: false });
    await world.request("/api/v1/auths/", { as: ada });
    await world.settled();
    expect((await world.call(`/api/v1/users/${ada.id}/active`, { as: admin })).body).toEqual({ active: true });
  });
});

describe("changing somebody's account", () => {
  test("changes what is named and nothing else, and notes each change", async () => {
    const ada = await world.person({ name: "Ada", role: "pending" });
    const { status, body } = await update(ada.id, { role: "user", name: "Ada L" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: ada.id, name: "Ada L", role: "user", email: ada.email, group_ids: [] });
    expect(await actions()).toEqual([
      { action: "user.role_updated", detail: { from: "pending", to: "user" } },
      { action: "user.name_updated", detail: { from: "Ada", to: "Ada L" } },
    ]);
  });

  test("notes nothing where nothing changes", async () => {
    const ada = await world.person();
    await update(ada.id, { role: "user", name: ada.name, email: ada.email.toUpperCase(), active: true, password: "" });
    expect(await actions()).toEqual([]);
  });

  test("lets somebody who waited go on with the session they have", async () => {
    const ada = await world.person({ role: "pending" });
    await update(ada.id, { role: "user" });
    expect((await world.request("/api/v1/users/permissions", { as: ada })).status).toBe(200);
    expect(world.live.revoked).toEqual([]);
  });

  test.each([
    [{ role: "pending" }, "role_changed"],
    [{ active: false }, "account_inactive"],
    [{ is_active: false }, "account_inactive"],
  ])("with %j ends all sessions at the next request and closes sockets", async (change, reason) => {
    const ada = await world.person();
    expect((await update(ada.id, change)).status).toBe(200);
    expect((await world.request("/api/v1/auths/", { as: ada })).status).toBe(401);
    expect(world.live.revoked).toEqual([{ userId: ada.id, reason }]);
  });

  test("with a new password ends all sessions, and only the new one signs in", async () => {
    const ada = await world.person({ password: "old one" });
    await update(ada.id, { password: "new one" });
    expect((await world.request("/api/v1/auths/", { as: ada })).status).toBe(401);
    expect(world.live.revoked).toEqual([{ userId: ada.id, reason: "password_changed", sessionId: ada.sessionId }]);
    const signIn = (password: string) => world.call("/api/v1/auths/signin", { json: { email: ada.email, password } });
    expect((await signIn("old one")).status).toBe(400);
    expect((await signIn("new one")).status).toBe(200);
    expect(JSON.stringify(await actions())).not.toContain("new one");
  });

  test("takes effect on what the person may do at once", async () => {
    const bob = await world.person({ role: "admin", name: "Bob" });
    const before = await world.request("/api/v1/users/", { as: bob });
    await update(bob.id, { role: "user" });
    const after = await world.request("/api/v1/users/", { as: bob });
    expect([before.status, after.status]).toEqual([200, 401]);
  });

  test("sign-in works again once an account is switched on", async () => {
    const ada = await world.person({ password: "correct horse" });
    await update(ada.id, { active: false });
    const signIn = () => world.call("/api/v1/auths/signin", { json: { email: ada.email, password: "correct horse" } });
    expect((await signIn()).status).toBe(401);
    await update(ada.id, { active: true });
    expect((await signIn()).status).toBe(200);
  });

  test.each([
    [{ email: "GRACE@harbour.example" }, 400, "email_taken"],
    [{ email: "grace" }, 400, "invalid_email"],
    [{ password: "x".repeat(2000) }, 400, "invalid_password"],
    [{ role: "owner" }, 422, "validation_failed"],
    [{ name: " " }, 422, "validation_failed"],
    [{ active: "no" }, 422, "validation_failed"],
    [{ profile_image_url: "javascript:alert(1)" }, 422, "validation_failed"],
  ])("refuses %j with %d %s and changes nothing", async (change, status, code) => {
    const ada = await world.person();
    expect(await update(ada.id, { role: "admin", ...change })).toMatchObject({ status, body: { code } });
    expect((await world.call(`/api/v1/users/${ada.id}`, { as: admin })).body).toMatchObject({
      role: "user",
      email: ada.email,
    });
  });

  test("is 404 for nobody and 403 for people who are no administrators", async () => {
    expect((await update("nobody", { role: "user" })).status).toBe(404);
    expect((await update(admin.id, { role: "user" }, await world.person())).status).toBe(403);
  });

  test("takes two round trips", async () => {
    const ada = await world.person();
    world.roundTrips.reset();
    await update(ada.id, { role: "admin" });
    expect(world.roundTrips.count).toBe(2);
  });
});

describe("administrators among themselves", () => {
  test("cannot change or delete the first one, who can change themselves", async () => {
    const second = await world.person({ role: "admin" });
    expect((await update(admin.id, { name: "Mine" }, second)).status).toBe(403);
    expect((await world.request(`/api/v1/users/${admin.id}`, { method: "DELETE", as: second })).status).toBe(403);
    expect((await update(admin.id, { name: "Grace H" }, admin)).status).toBe(200);
  });

  test.each([{ role: "user" }, { role: "pending" }, { active: false }])(
    "cannot be left without one by %j",
    async (change) => {
      expect(await update(admin.id, change)).toMatchObject({ status: 403, body: { code: "forbidden" } });
      expect((await world.request("/api/v1/users/", { as: admin })).status).toBe(200);
    },
  );

  test("do not count one who is switched off as one who remains", async () => {
    await world.person({ role: "admin", active: false });
    expect((await update(admin.id, { role: "user" })).status).toBe(403);
  });

  test("who demote each other at the same moment leave one", async () => {
    const second = await world.person({ role: "admin" });
    const third = await world.person({ role: "admin" });
    await Promise.all([
      update(third.id, { role: "user" }, second),
      update(second.id, { role: "user" }, third),
      update(admin.id, { role: "user" }, admin),
    ]);
    const { rows } = await world.client.execute("SELECT count(*) AS n FROM users WHERE role = 'admin' AND active = 1");
    expect(rows[0]!.n).toBe(1);
  });
});

describe("deleting somebody", () => {
  test("takes everything of theirs along and ends their sessions", async () => {
    const ada = await world.person({ password: "correct horse" });
    const { status, body } = await world.call(`/api/v1/users/${ada.id}`, { method: "DELETE", as: admin });
    expect([status, body]).toEqual([200, true]);
    expect((await world.request("/api/v1/auths/", { as: ada })).status).toBe(401);
    expect(world.live.revoked).toEqual([{ userId: ada.id, reason: "account_deleted" }]);
    for (const table of ["passwords", "sessions"]) {
      expect(
        (await world.client.execute({ sql: `SELECT 1 FROM ${table} WHERE user_id = ?`, args: [ada.id] })).rows,
      ).toEqual([]);
    }
    expect(await actions()).toEqual([
      { action: "user.deleted", detail: { name: "Ada", email: ada.email, role: "user" } },
    ]);
    expect((await world.request(`/api/v1/users/${ada.id}`, { method: "DELETE", as: admin })).status).toBe(404);
  });

  test("is not for oneself, nor for people who are no administrators", async () => {
    expect((await world.request(`/api/v1/users/${admin.id}`, { method: "DELETE", as: admin })).status).toBe(403);
    expect(
      (await world.request(`/api/v1/users/${admin.id}`, { method: "DELETE", as: await world.person() })).status,
    ).toBe(403);
  });

  test("does not fail when the live sessions cannot be closed", async () => {
    const ada = await world.person();
    world.live.revoke = () => Promise.reject(new Error("no such object"));
    expect((await world.request(`/api/v1/users/${ada.id}`, { method: "DELETE", as: admin })).status).toBe(200);
    expect(world.logged).toMatchObject([{ level: "warn", message: "could not close live connections" }]);
  });
});
