import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScimWorld, type Failure, type ScimWorld } from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld();
});
afterAll(() => world.close());

const get = async (id: string) => (await world.scim("GET", `/Users/${id}`)).body;

describe("switching off", () => {
  test("DELETE keeps the person and everything of theirs: 204, again 204, then GET 200 with active false", async () => {
    const person = await world.makeUser({ externalId: "off" });
    for (let time = 0; time < 2; time++) {
      const { status, body } = await world.scim("DELETE", `/Users/${person.id}`);
      expect([status, body]).toEqual([204, ""]);
    }
    expect(await get(person.id)).toMatchObject({ id: person.id, externalId: "off", active: false });
    expect((await world.find("Users", `userName eq "${String(person.userName)}"`)).totalResults).toBe(1);
    const back = await world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: true });
    expect(back.body).toMatchObject({ id: person.id, active: true });
    expect((await world.scim<Failure>("DELETE", "/Users/nobody")).body.status).toBe("404");
  });

  test.each([
    ["DELETE", (id: string) => world.scim("DELETE", `/Users/${id}`)],
    ["PATCH", (id: string) => world.patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" })],
    [
      "PUT",
      async (id: string) => world.scim("PUT", `/Users/${id}`, { userName: (await get(id)).userName, active: false }),
    ],
  ])("by %s cuts sessions at once and closes what is open", async (_verb, off) => {
    const person = await world.person();
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(200);
    expect([200, 204]).toContain((await off(person.id)).status);
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(401);
    expect(world.live.revoked).toContainEqual({ userId: person.id, reason: "account_inactive" });
    expect(world.live.rechecked).toContain(person.id);
    await world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: true });
    // What was signed in has ended for good.
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(401);
  });

  test("who is off already is not closed again, and a change of somebody who is off wakes nobody", async () => {
    const person = await world.makeUser({ active: false });
    const before = world.live.revoked.length;
    await world.scim("DELETE", `/Users/${person.id}`);
    await world.patch(`/Users/${person.id}`, { op: "replace", path: "displayName", value: "Off" });
    expect(world.live.revoked).toHaveLength(before);
  });

  test("activation does not approve who waits; waiting people are active", async () => {
    const waiting = await world.person({ role: "pending" });
    expect((await get(waiting.id)).active).toBe(true);
    await world.scim("DELETE", `/Users/${waiting.id}`);
    await world.patch(`/Users/${waiting.id}`, { op: "replace", path: "active", value: true });
    const { rows } = await world.client.execute({
      sql: "SELECT role, active FROM users WHERE id = ?",
      args: [waiting.id],
    });
    expect(rows[0]).toMatchObject({ role: "pending", active: 1 });
  });

  test("the last active administrator stays, by whatever verb, also when two are switched off at once", async () => {
    const small = await createScimWorld();
    const admin = await small.admin();
    const off = [
      () => small.scim<Failure>("DELETE", `/Users/${admin.id}`),
      () => small.patch<Failure>(`/Users/${admin.id}`, { op: "replace", path: "active", value: false }),
      () => small.patch<Failure>(`/Users/${admin.id}`, { op: "replace", value: { active: "False", displayName: "X" } }),
      () => small.scim<Failure>("PUT", `/Users/${admin.id}`, { userName: admin.email, active: false }),
    ];
    for (const attempt of off) {
      const { status, body } = await attempt();
      expect([status, body.status]).toEqual([409, "409"]);
      expect(body.detail).toContain("last active administrator");
      expect(body).not.toHaveProperty("scimType");
    }
    expect((await small.scim("GET", `/Users/${admin.id}`)).body).toMatchObject({ active: true, displayName: "Grace" });
    expect((await small.call("/api/v1/auths/", { as: admin })).status).toBe(200);
    const second = await small.person({ role: "admin" });
    // Whose organization is off cannot sign in: nobody would be left who can.
    const home = "UPDATE users SET organization_id = 'closed' WHERE id = ?";
    await small.client.execute(
      "INSERT INTO organizations (id, name, active, features, created_at, updated_at) VALUES ('closed', 'Closed', 0, '{}', 0, 0)",
    );
    await small.client.execute({ sql: home, args: [second.id] });
    expect((await small.scim("DELETE", `/Users/${admin.id}`)).status).toBe(409);
    await small.client.execute("UPDATE organizations SET active = 1 WHERE id = 'closed'");
    const both = await Promise.all([admin, second].map(({ id }) => small.scim("DELETE", `/Users/${id}`)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    await small.close();
  });
});
