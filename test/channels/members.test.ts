import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sweepChannels } from "../../src/channels/delete-channel.ts";
import type { MemberPage } from "../../src/channels/members/schema.ts";
import type { ChannelView } from "../../src/channels/schema.ts";
import { users } from "../../src/people/users/tables.ts";
import { defaultOrganizationId, type Person } from "../world.ts";
import { channelsPath as path, type ChannelWorld, createChannelWorld } from "./channel-world.ts";

let world: ChannelWorld;
let ada: Person;
let grace: Person;
let nia: Person;

beforeAll(async () => {
  world = await createChannelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace, nia] = await Promise.all([
    world.person(),
    world.person({ name: "Grace H" }),
    world.person({ name: "Nia O" }),
  ]);
});

const add = (as: Person, id: string, json: unknown) =>
  world.post<ChannelView & { detail: string }>(as, `${id}/update/members/add`, json);
const takeOut = (as: Person, id: string, json: unknown) =>
  world.post<{ detail: string }>(as, `${id}/update/members/remove`, json);
const setRole = (as: Person, id: string, of: string, role: string) =>
  world.post<{ detail: string }>(as, `${id}/members/${of}/role`, { role });
const members = async (as: Person, id: string, query = "") =>
  (await world.call<MemberPage>(`${path}/${id}/members${query}`, { as })).body;
const rolesIn = async (as: Person, id: string) =>
  Object.fromEntries((await members(as, id)).users.map((person) => [person.id, person.channel_role]));

describe("members of a channel", () => {
  test("are added by its managers, all or none, and told", async () => {
    const { id } = await world.channel(ada, { is_private: true });
    await world.say(id, 2);
    const outsider = await world.person();
    await world.setOrganization(outsider, await world.organization());
    const [waiting, gone] = await Promise.all([world.person({ role: "pending" }), world.person({ active: false })]);
    for (const user_ids of [[grace.id, outsider.id], [grace.id, waiting.id], [gone.id], ["nobody"]])
      expect(await add(ada, id, { user_ids })).toMatchObject({ status: 422 });
    expect((await members(ada, id)).total).toBe(1);

    world.told.length = 0;
    world.live.published.length = 0;
    expect((await add(ada, id, { user_ids: [grace.id, ada.id, grace.id] })).body).toMatchObject({ user_count: 2 });
    await world.settled();
    expect(world.told.map(({ event }) => event.type)).toEqual(["channel:members"]);
    expect(world.live.published).toMatchObject([
      { userId: grace.id, event: { channel_id: id, data: { type: "channel:changed" } } },
    ]);
    expect(await world.view(grace, id)).toMatchObject({ unread_count: 0, last_read: 2, is_manager: false });
    const [noted] = await world.db.all(sql`SELECT action, detail, organization_id AS home FROM audit_events
      WHERE target_id = ${id} ORDER BY id DESC LIMIT 1`);
    expect(noted).toEqual({
      action: "channel.members_added",
      detail: JSON.stringify({ name: (await world.view(ada, id)).name, user_ids: [grace.id, ada.id], group_ids: [] }),
      home: defaultOrganizationId,
    });
    expect((await add(grace, id, { user_ids: [nia.id] })).status).toBe(403);
    expect((await add(nia, id, { user_ids: [nia.id] })).status).toBe(404);
    for (const json of [{}, { user_ids: [] }, { user_ids: [1] }, { user_ids: Array.from({ length: 501 }, String) }])
      expect((await add(ada, id, json)).status).toBe(422);
  });

  test("come with groups as these are now, which the one who adds may bring along", async () => {
    const { id } = await world.channel(ada, { is_private: true });
    const crew = await world.group(defaultOrganizationId, [grace, nia]);
    expect((await add(ada, id, { group_ids: [crew] })).body).toMatchObject({ user_count: 3 });
    expect((await takeOut(ada, id, { group_ids: [crew] })).body).toBe(true);
    expect((await members(ada, id)).total).toBe(1);
    await world.db.run(sql`UPDATE groups SET share = 'nobody' WHERE id = ${crew}`);
    expect(await add(ada, id, { group_ids: [crew] })).toMatchObject({
      status: 422,
      body: { detail: "group_ids: 1 of these groups are unknown, or you cannot add them" },
    });
    expect((await add(await world.admin(), id, { group_ids: [crew] })).status).toBe(200);
  });

  test("of a whole organization fit in at once, and every tab is told once", async () => {
    const people = Array.from({ length: 5000 }, (_, index) => `p${index}-${ada.id}`);
    const now = world.services.now();
    await world.db
      .run(sql`INSERT INTO users (id, email, name, role, active, organization_id, organization_role, last_active_at, created_at, updated_at)
      SELECT value, value || '@harbour.example', 'P' || key, 'user', 1, ${defaultOrganizationId}, 'member', 0, ${now}, ${now}
      FROM json_each(${JSON.stringify(people)})`);
    const crew = await world.group(defaultOrganizationId, []);
    await world.db.run(sql`INSERT INTO group_members (group_id, user_id, created_at)
      SELECT ${crew}, value, 0 FROM json_each(${JSON.stringify(people)})`);
    const { id } = await world.channel(ada);
    world.told.length = 0;
    world.live.published.length = 0;
    expect((await add(ada, id, { group_ids: [crew] })).body).toMatchObject({ user_count: 5001 });
    await world.settled();
    expect(world.told.map(({ event }) => event.type)).toEqual(["channel:changed"]);
    expect(world.live.published).toEqual([]);
    expect((await world.call(`${path}/${id}/delete`, { method: "DELETE", as: ada })).body).toBe(true);
    await world.settled();
    expect(await world.db.all(sql`SELECT 1 FROM channel_members WHERE channel_id = ${id}`)).toEqual([]);
    await world.db.run(sql`DELETE FROM users WHERE id LIKE ${`p%-${ada.id}`}`);
  }, 60_000);

  test("are listed in pages, by name or by role, and found by name and address", async () => {
    const { id } = await world.channel(ada, { user_ids: [grace.id, nia.id] });
    await setRole(ada, id, nia.id, "manager");
    expect((await members(grace, id, "?order_by=role")).users.map((person) => person.name)).toEqual([
      "Ada",
      "Nia O",
      "Grace H",
    ]);
    expect(await members(grace, id, "?query=grace")).toMatchObject({
      total: 1,
      users: [
        { id: grace.id, channel_role: "member", profile_image_url: expect.stringContaining(grace.id), role: "user" },
      ],
    });
    expect((await members(grace, id, `?query=${nia.id.slice(0, 12)}`)).total).toBeGreaterThan(0);
    const pages = await Promise.all([1, 2, 3].map((page) => members(grace, id, `?limit=1&page=${page}`)));
    expect(pages.flatMap((page) => page.users.map((person) => person.name))).toEqual(["Ada", "Grace H", "Nia O"]);
    expect(await members(grace, id, "?query=%25&order_by=nonsense")).toMatchObject({ total: 0 });
    // Whoever reads a public channel sees who is in it.
    expect((await members(await world.person(), id)).total).toBe(3);
  });
});

describe("managers", () => {
  test("are made and unmade by managers, and a channel keeps one", async () => {
    const { id } = await world.channel(ada, { user_ids: [grace.id, nia.id] });
    expect((await setRole(grace, id, grace.id, "manager")).status).toBe(403);
    expect((await setRole(ada, id, ada.id, "member")).status).toBe(409);
    expect((await takeOut(ada, id, { user_ids: [ada.id] })).status).toBe(409);
    expect((await setRole(ada, id, grace.id, "manager")).body).toBe(true);
    expect(await world.view(grace, id)).toMatchObject({ is_manager: true });
    expect((await setRole(grace, id, ada.id, "member")).body).toBe(true);
    expect(await rolesIn(ada, id)).toEqual({ [ada.id]: "member", [grace.id]: "manager", [nia.id]: "member" });
    expect((await setRole(grace, id, (await world.person()).id, "manager")).status).toBe(404);
    expect((await setRole(grace, id, nia.id, "owner")).status).toBe(422);
    expect((await takeOut(grace, id, { user_ids: [ada.id, "nobody"] })).body).toBe(true);
    expect((await world.call(`${path}/${id}`, { as: ada })).status).toBe(200);
    expect(await world.view(ada, id)).toMatchObject({ is_member: false });
  });

  test("who go at the same moment do not both go", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { id } = await world.channel(ada, { user_ids: [grace.id, nia.id] });
      await setRole(ada, id, grace.id, "manager");
      const [one, other] = await Promise.all([world.post(ada, `${id}/leave`), world.post(grace, `${id}/leave`)]);
      expect([one.status, other.status].toSorted()).toEqual([200, 409]);
      expect(Object.values(await rolesIn(nia, id)).filter((role) => role === "manager").length).toBe(1);
    }
  });

  test("whose account goes are followed by whoever has been there longest", async () => {
    const { id } = await world.channel(ada);
    await add(ada, id, { user_ids: [grace.id] });
    await world.db.run(sql`UPDATE channel_members SET joined_at = 1 WHERE user_id = ${grace.id}`);
    await add(ada, id, { user_ids: [nia.id] });
    await world.db.delete(users).where(eq(users.id, ada.id));
    expect(await rolesIn(nia, id)).toEqual({ [grace.id]: "manager", [nia.id]: "member" });
    expect(await world.view(nia, id)).toMatchObject({ user_id: null, user_count: 2 });
  });

  test("of the service manage what they are not in, but no conversation", async () => {
    const { id } = await world.channel(ada, { is_private: true });
    const root = await world.admin();
    expect((await add(root, id, { user_ids: [root.id] })).body).toMatchObject({ is_member: true });
    const direct = (await world.call<ChannelView>(`${path}/users/${grace.id}`, { as: ada })).body;
    expect((await add(root, direct.id, { user_ids: [root.id] })).status).toBe(404);
    expect((await world.call(`${path}/${direct.id}/members`, { as: root })).status).toBe(404);
  });
});

describe("direct conversations", () => {
  const open = (as: Person, ...others: Person[]) =>
    world.post<ChannelView & { detail: string }>(as, "create", { type: "dm", user_ids: others.map(({ id }) => id) });
  const list = async (as: Person) =>
    (await world.call<ChannelView[]>(`${path}/`, { as })).body.map((channel) => channel.id);

  test("are one for the same few, however many open it at once", async () => {
    const answers = await Promise.all([
      world.call<ChannelView>(`${path}/users/${grace.id}`, { as: ada }),
      world.call<ChannelView>(`${path}/users/${ada.id}`, { as: grace }),
      open(ada, grace),
      open(grace, ada, grace),
      open(ada, grace, nia),
    ]);
    const ids = answers.map(({ body }) => body.id);
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect(ids[4]).not.toBe(ids[0]);
    expect(answers[0].body).toMatchObject({
      type: "dm",
      name: "",
      is_private: true,
      is_manager: false,
      users: [{ id: grace.id, name: "Grace H" }],
      user_ids: [grace.id],
      user_count: 2,
    });
    expect((await members(ada, ids[0]!)).total).toBe(2);
  });

  test("show to whoever opened them, and to others when there is something to read", async () => {
    const { id } = (await open(ada, grace)).body;
    expect(await list(ada)).toEqual([id]);
    expect(await list(grace)).toEqual([]);
    expect((await open(grace, ada)).body.id).toBe(id);
    expect(await list(grace)).toEqual([id]);
    const show = (as: Person, is_active: unknown) => world.post(as, `${id}/members/active`, { is_active });
    expect((await show(ada, false)).body).toBe(true);
    expect(await list(ada)).toEqual([]);
    expect((await show(ada, true)).body).toBe(true);
    expect(await list(ada)).toEqual([id]);
    expect((await show(ada, "no")).status).toBe(422);
    expect((await show(nia, false)).status).toBe(404);
    const other = await world.channel(ada);
    expect((await world.post(ada, `${other.id}/members/active`, { is_active: false })).status).toBe(422);
  });

  test("are of two to eight people of one organization, and stay as they are", async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => world.person()));
    const outsider = await world.person();
    await world.setOrganization(outsider, await world.organization());
    expect((await open(ada)).body.detail).toBe("user_ids: A direct conversation needs at least one other person");
    expect((await open(ada, ...many)).body.detail).toBe(
      "user_ids: A direct conversation has at most 8 people: create a private channel instead",
    );
    expect((await open(ada, ...many.slice(1))).body).toMatchObject({ user_count: 8 });
    expect((await open(ada, outsider)).status).toBe(422);
    expect((await world.call(`${path}/users/${outsider.id}`, { as: ada })).status).toBe(404);
    expect((await world.call(`${path}/users/nobody`, { as: ada })).status).toBe(404);
    expect((await world.post(ada, "create", { type: "dm", group_ids: ["g"] })).status).toBe(422);
    const { id } = (await open(ada, grace)).body;
    expect(await add(ada, id, { user_ids: [nia.id] })).toMatchObject({
      status: 403,
      body: { detail: "Direct conversations cannot be managed" },
    });
    for (const answer of [
      await world.post(ada, `${id}/update`, { name: "x" }),
      await world.call(`${path}/${id}/delete`, { method: "DELETE", as: ada }),
      await setRole(ada, id, grace.id, "manager"),
    ])
      expect(answer.status).toBe(403);
    expect((await world.post(ada, `${id}/leave`)).status).toBe(422);
  });

  test("wait for those who move away, and end with the last of their people", async () => {
    const { id } = (await open(ada, grace)).body;
    await world.say(id, 2);
    await world.setOrganization(grace, await world.organization());
    expect((await world.call(`${path}/${id}`, { as: grace })).status).toBe(404);
    expect(await world.view(ada, id)).toMatchObject({ users: [], user_count: 1 });
    await world.setOrganization(grace, defaultOrganizationId);
    expect((await open(grace, ada)).body).toMatchObject({ id, head: 2, user_count: 2 });
    await world.db.delete(users).where(eq(users.id, ada.id));
    await sweepChannels(world.services);
    expect(await world.view(grace, id)).toMatchObject({ id, users: [] });
    await world.db.delete(users).where(eq(users.id, grace.id));
    await sweepChannels(world.services);
    expect(await world.db.all(sql`SELECT 1 FROM channels WHERE id = ${id}`)).toEqual([]);
  });
});
