import { afterAll, beforeAll, expect, test } from "vitest";
import { makeService } from "../people/service-accounts/service-world.ts";
import { createScimWorld, type Resource, type ScimWorld, userUrn } from "./scim-world.ts";

let world: ScimWorld;
let service: { id: string; email: string };
beforeAll(async () => {
  world = await createScimWorld();
  service = await makeService(world, await world.admin(), { name: "Probe" });
});
afterAll(() => world.close());

const membersOf = async (id: string) =>
  (await world.client.execute({ sql: "SELECT user_id FROM group_members WHERE group_id = ?", args: [id] })).rows.map(
    (row) => row["user_id"],
  );

test("the identity provider does not find it, and so does not switch it off", async () => {
  const all = await world.scim<{ totalResults: number; Resources: Resource[] }>("GET", "/Users");
  expect(all.body.Resources.map(({ id }) => id)).not.toContain(service.id);
  expect(all.body.totalResults).toBe(all.body.Resources.length);
  expect((await world.find("Users", `userName eq "${service.email}"`)).totalResults).toBe(0);
  expect(
    (await world.find("Users", `id eq "${service.id}" or active eq true`)).Resources.map(({ id }) => id),
  ).not.toContain(service.id);
  expect((await world.scim("GET", `/Users/${service.id}`)).status).toBe(404);
  const body = { schemas: [userUrn], userName: "robot@harbour.example", active: false };
  expect((await world.scim("PUT", `/Users/${service.id}`, body)).status).toBe(404);
  expect((await world.patch(`/Users/${service.id}`, { op: "replace", path: "active", value: false })).status).toBe(404);
  expect((await world.scim("DELETE", `/Users/${service.id}`)).status).toBe(404);
  const { rows } = await world.client.execute({
    sql: "SELECT active, email FROM users WHERE id = ?",
    args: [service.id],
  });
  expect(rows).toMatchObject([{ active: 1, email: service.email }]);
});

test("its address is taken all the same", async () => {
  const answer = await world.scim("POST", "/Users", { schemas: [userUrn], userName: service.email });
  expect(answer).toMatchObject({ status: 409, body: { scimType: "uniqueness" } });
});

test("it stays in groups that the provider fills, empties and replaces, and is not shown in them", async () => {
  const ada = await world.makeUser({ displayName: "Ada" });
  const group = await world.makeGroup("Crew", [ada.id]);
  await world.client.execute({
    sql: "INSERT INTO group_members (group_id, user_id, created_at) VALUES (?, ?, 1)",
    args: [group.id, service.id],
  });
  const path = `/Groups/${group.id}`;
  expect((await world.scim("GET", path)).body["members"]).toMatchObject([{ value: ada.id }]);
  expect((await world.find("Groups", `members[value eq "${service.id}"]`)).totalResults).toBe(0);
  await world.patch(path, { op: "replace", path: "members", value: [{ value: ada.id }] });
  expect((await membersOf(group.id)).toSorted()).toEqual([ada.id, service.id].toSorted());
  await world.patch(path, { op: "remove", path: `members[value eq "${service.id}"]` });
  await world.patch(path, { op: "remove", path: "members", value: [{ value: service.id }] });
  await world.patch(path, { op: "remove", path: "members" });
  expect(await membersOf(group.id)).toEqual([service.id]);
  const other = await world.makeGroup("Others");
  await world.patch(`/Groups/${other.id}`, { op: "add", path: "members", value: [{ value: service.id }] });
  expect(await membersOf(other.id)).toEqual([]);
});
