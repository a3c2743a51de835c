import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sweepChannels } from "../../src/channels/delete-channel.ts";
import type { BrowsePage, ChannelView } from "../../src/channels/schema.ts";
import { settings } from "../../src/db/tables.ts";
import type { Person } from "../world.ts";
import { channelsPath as path, type ChannelWorld, createChannelWorld } from "./channel-world.ts";

let world: ChannelWorld;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  world = await createChannelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace] = await Promise.all([world.person(), world.person({ name: "Grace H" })]);
});

const list = async (as: Person, at = "/") =>
  (await world.call<ChannelView[]>(`${path}${at}`, { as })).body.map((channel) => channel.id);
const create = (as: Person, json: unknown) => world.post<ChannelView & { detail: string }>(as, "create", json);
const everyone = (permission: string) => ({ principal_type: "user", principal_id: "*", permission });

describe("making one", () => {
  test("gives its maker a private channel to manage, named as channels are", async () => {
    const before = Date.now();
    const { body } = await create(ada, {
      name: "  #Night  Watch ",
      description: " Who is awake ",
      meta: { icon: "moon" },
    });
    expect(body).toMatchObject({
      user_id: ada.id,
      type: "group",
      name: "night-watch",
      description: "Who is awake",
      is_private: true,
      meta: { icon: "moon" },
      data: {},
      head: 0,
      is_member: true,
      is_manager: true,
      write_access: true,
      unread_count: 0,
      user_count: 1,
      last_message_at: null,
    });
    // Milliseconds, where the peer has nanoseconds.
    expect(body.created_at).toBeGreaterThanOrEqual(before);
    expect(body.created_at).toBeLessThanOrEqual(Date.now());
    expect(await list(ada)).toEqual([body.id]);
    expect((await world.call(`${path}/${body.id}`, { as: grace })).status).toBe(404);
  });

  test("takes what the peer's clients say about who is in it", async () => {
    const group = await world.group((await world.view(ada, (await world.channel(ada)).id)).organization_id, [grace]);
    expect(
      (await create(ada, { name: `a${ada.id}`, access_grants: [everyone("read"), everyone("write")] })).body,
    ).toMatchObject({
      type: null,
      is_private: false,
    });
    const named = { principal_type: "user", principal_id: grace.id, permission: "write" };
    for (const json of [{ user_ids: [grace.id] }, { group_ids: [group] }, { access_grants: [named] }]) {
      const { body } = await create(ada, { name: "crew", type: "group", ...json });
      expect(body).toMatchObject({ type: "group", user_count: 2 });
      expect(await world.view(grace, body.id)).toMatchObject({ is_member: true, is_manager: false });
    }
  });

  test("refuses what channels do not have, and changes nothing then", async () => {
    const outsider = await world.person();
    await world.setOrganization(outsider, await world.organization());
    const refused: [unknown, string][] = [
      [
        { name: "x", access_grants: [everyone("read")] },
        "access_grants: Everyone who can read a channel can also write in it: grant `write` as well",
      ],
      [
        { name: "x", is_private: true, access_grants: [everyone("write")] },
        "is_private: A channel that everyone can write in cannot be private",
      ],
      [
        { name: "x", user_ids: [outsider.id] },
        "user_ids: 1 of these people are unknown, cannot sign in or belong to another organization",
      ],
      [
        { name: "x", user_ids: [grace.id, "nobody", "who"] },
        "user_ids: 2 of these people are unknown, cannot sign in or belong to another organization",
      ],
      [{ name: "x", group_ids: ["none"] }, "group_ids: 1 of these groups are unknown, or you cannot add them"],
      [{ name: " # " }, "name: A channel needs a name"],
      [{}, "name: A channel needs a name"],
      [{ name: "a\u0000b" }, "name: A name cannot have line breaks"],
      [{ name: "x".repeat(81) }, "name: A name can have at most 80 characters"],
    ];
    for (const [json, detail] of refused) {
      const { status, body } = await create(ada, json);
      expect([status, body.detail]).toEqual([422, detail]);
    }
    for (const json of [
      { name: 7 },
      { name: "x", user_ids: "all" },
      { name: "x", type: "open" },
      { name: "x", meta: { a: "x".repeat(20_000) } },
    ])
      expect((await create(ada, json)).status).toBe(422);
    expect(await list(ada)).toEqual([]);
  });

  test("in public needs the permission, and a name of its own, however many ask at once", async () => {
    const name = `c${ada.id}`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(ada, { name, is_private: false })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const made = answers.find(({ status }) => status === 200);
    expect((await create(grace, { name: name.toUpperCase() })).body).toMatchObject({ name, is_private: true });
    // Another organization has names of its own.
    const elsewhere = await world.person();
    await world.setOrganization(elsewhere, await world.organization());
    expect((await create(elsewhere, { name, is_private: false })).status).toBe(200);

    const values = { name: "permissions.default", value: { sharing: { public_channels: false } }, updatedAt: 0 };
    await world.db.insert(settings).values(values);
    try {
      expect(await create(ada, { name: `${name}2`, is_private: false })).toMatchObject({
        status: 403,
        body: {
          detail:
            "To create a public channel you need the permission sharing.public_channels. Ask an administrator for it",
        },
      });
      const closed = (await create(ada, { name: `${name}3` })).body;
      expect((await world.post(ada, `${closed.id}/update`, { is_private: false })).status).toBe(403);
      // One that is public already may be sent back as it is.
      expect(
        (await world.post(ada, `${made!.body.id}/update`, { is_private: false, description: "Ours" })).status,
      ).toBe(200);
    } finally {
      await world.db.delete(settings);
    }
  });
});

describe("changing one", () => {
  test("is its managers' and system administrators', and shows at once", async () => {
    const { id } = await world.channel(ada);
    await world.post(grace, `${id}/join`);
    const change = (as: Person, json: unknown) => world.post<ChannelView>(as, `${id}/update`, json);
    expect((await change(grace, { name: "mine" })).status).toBe(403);
    const name = `d${id}`;
    world.told.length = 0;
    expect((await change(ada, { name: `#${name}`, description: "Deep", data: { a: 1 } })).body).toMatchObject({
      name,
      description: "Deep",
      data: { a: 1 },
      is_private: false,
    });
    expect(world.told.map(({ event }) => event.type)).toEqual(["channel:changed"]);
    expect((await change(await world.admin(), { is_private: true })).body).toMatchObject({
      name,
      type: "group",
      is_member: false,
    });
    expect((await world.call(`${path}/${id}`, { as: await world.person() })).status).toBe(404);
    expect(await world.view(grace, id)).toMatchObject({ is_private: true, is_member: true });
    expect((await change(ada, { user_ids: [grace.id] })).status).toBe(422);
    expect((await change(ada, { name: "" })).status).toBe(422);
  });

  test("to a name that a public one has is refused", async () => {
    const [one, other] = [await world.channel(ada), await world.channel(ada)];
    const change = (id: string, json: unknown) => world.post<{ detail: string }>(ada, `${id}/update`, json);
    expect((await change(one.id, { name: other.name })).status).toBe(409);
    expect((await change(one.id, { name: other.name, is_private: true })).status).toBe(200);
    expect(await change(one.id, { is_private: false })).toMatchObject({
      status: 409,
      body: { detail: "A public channel with this name already exists" },
    });
  });
});

describe("coming and going", () => {
  test("a public one is found, joined and left", async () => {
    const { id, name } = await world.channel(ada, { description: "Ebb and flood" });
    await world.say(id, 3);
    const find = async (query: string) =>
      (await world.call<BrowsePage>(`${path}/browse?query=${encodeURIComponent(query)}`, { as: grace })).body.items;
    // Not the beginning of the name: names of channels that were made in one moment begin alike.
    expect(await find(`#${name}`)).toMatchObject([{ id, is_member: false, write_access: true, unread_count: 0 }]);
    expect((await find("flood ebb")).map((channel) => channel.id)).toContain(id);
    expect(await list(grace)).toEqual([]);
    world.told.length = 0;
    world.live.published.length = 0;
    for (let turn = 0; turn < 2; turn++)
      expect((await world.post(grace, `${id}/join`)).body).toMatchObject({
        is_member: true,
        is_manager: false,
        unread_count: 0,
        last_read: 3,
        user_count: 2,
      });
    await world.settled();
    expect(world.told.map(({ channel, event }) => [channel.id, event.type])).toEqual([[id, "channel:members"]]);
    expect(await list(grace)).toEqual([id]);
    expect((await world.post(grace, `${id}/leave`)).body).toBe(true);
    expect((await world.post(grace, `${id}/leave`)).status).toBe(403);
    expect(await list(grace)).toEqual([]);
    expect(await world.post(ada, `${id}/leave`)).toMatchObject({
      status: 409,
      body: { detail: "A channel needs a manager: make someone else a manager first, or delete the channel" },
    });
  });

  test("pages of public ones neither repeat nor skip any", async () => {
    const organization = await world.organization();
    const nia = await world.person();
    await world.setOrganization(nia, organization);
    const names = ["e", "b", "d", "a", "c"];
    for (const name of names) await world.channel(nia, { name });
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const at: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await world.call<BrowsePage>(`${path}/browse?limit=2${at}`, { as: nia });
      seen.push(...body.items.map((channel) => channel.name));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(names.toSorted());
    expect((await world.call(`${path}/browse?cursor=nonsense`, { as: nia })).status).toBe(400);
  });

  test("a private one takes nobody in who was not added, and other organizations see none", async () => {
    const hidden = await world.channel(ada, { is_private: true });
    const open = await world.channel(ada);
    const nia = await world.person();
    await world.setOrganization(nia, await world.organization());
    const root = await world.person({ role: "admin" });
    expect((await world.post(grace, `${hidden.id}/join`)).status).toBe(404);
    expect((await world.post(nia, `${open.id}/join`)).status).toBe(404);
    expect((await world.post(root, `${hidden.id}/join`)).body).toMatchObject({
      detail: "The channel is private: ask one of its managers to add you",
    });
    expect(await world.view(root, hidden.id)).toMatchObject({
      is_member: false,
      is_manager: true,
      write_access: false,
    });
    expect(await list(root, "/list")).toEqual(expect.arrayContaining([hidden.id, open.id]));
    expect(await list(root)).toEqual([]);
    expect(await list(nia, "/list")).toEqual([]);
    await world.setOrganization(root, await world.organization());
    expect((await world.post(root, `${open.id}/join`)).body).toMatchObject({
      detail: "The channel belongs to another organization",
    });
  });

  test("whoever moves away is out, and whoever is left becomes its manager", async () => {
    const { id } = await world.channel(ada, { is_private: true, user_ids: [grace.id] });
    await world.setOrganization(ada, await world.organization());
    expect((await world.call(`${path}/${id}`, { as: ada })).status).toBe(404);
    expect(await world.view(grace, id)).toMatchObject({ is_manager: true, user_count: 1 });
  });
});

describe("what is unread", () => {
  test("is what others said outside of threads, counted up to a hundred", async () => {
    const { id } = await world.channel(ada);
    await world.say(id, 2);
    await world.say(id, 3, `user:${ada.id}`);
    const [, threaded] = await world.say(id, 2);
    await world.db.run(sql`UPDATE channel_messages SET parent_id = 'x' WHERE id = ${threaded}`);
    expect(await world.view(ada, id)).toMatchObject({ unread_count: 3, head: 7 });
    await world.say(id, 150);
    await world.db.run(
      sql`INSERT INTO channel_mentions (message_id, user_id, channel_id, seq) VALUES (${threaded}, ${ada.id}, ${id}, 7)`,
    );
    world.roundTrips.reset();
    const { body } = await world.call<ChannelView[]>(`${path}/list`, { as: ada });
    expect(body).toMatchObject([{ id, unread_count: 100, mention_count: 1, last_read: 0 }]);
    // The sign-in and the list.
    expect(world.roundTrips.count).toBe(2);
  });

  test("is read up to a place that never goes back, and other tabs hear of it", async () => {
    const { id } = await world.channel(ada);
    await world.say(id, 5);
    const read = (seq: unknown, as = ada) => world.post<{ last_read: number }>(as, `${id}/read`, { seq });
    world.live.published.length = 0;
    world.roundTrips.reset();
    expect((await read(3)).body).toMatchObject({ last_read: 3 });
    expect(world.roundTrips.count).toBe(2);
    expect((await read(2)).body).toMatchObject({ last_read: 3 });
    expect((await read(1e9)).body).toMatchObject({ last_read: 5 });
    await world.settled();
    expect(await world.view(ada, id)).toMatchObject({ unread_count: 0, last_read: 5 });
    expect(world.live.published.map(({ event }) => event.data)).toEqual([
      { type: "channel:read", data: { last_read: 3 } },
      { type: "channel:read", data: { last_read: 5 } },
    ]);
    for (const seq of [-1, 1.5, "3", null]) expect((await read(seq)).status).toBe(422);
    expect((await read(1, grace)).status).toBe(403);
  });
});

describe("deleting one", () => {
  test("hides it at once and takes all that was in it away", async () => {
    const { id, name } = await world.channel(ada, { user_ids: [grace.id] });
    await world.say(id, 1200);
    expect((await world.call(`${path}/${id}/delete`, { method: "DELETE", as: grace })).status).toBe(403);
    world.told.length = 0;
    expect((await world.call(`${path}/${id}/delete`, { method: "DELETE", as: ada })).body).toBe(true);
    expect((await world.call(`${path}/${id}`, { as: ada })).status).toBe(404);
    expect((await world.call(`${path}/${id}/delete`, { method: "DELETE", as: ada })).status).toBe(404);
    expect((await world.post(await world.person(), `${id}/join`)).status).toBe(404);
    expect((await create(grace, { name, is_private: false })).status).toBe(200);
    await world.settled();
    expect(world.told.map(({ event }) => event.type)).toContain("channel:left");
    expect(await left(id)).toEqual({ channels: 0, members: 0, messages: 0 });
  });

  test("goes on where the one who began it died", async () => {
    const { id } = await world.channel(ada, { user_ids: [grace.id] });
    await world.say(id, 700);
    await world.db.run(sql`UPDATE channels SET deleted_at = 1, kind = 'private' WHERE id = ${id}`);
    expect(await list(ada)).toEqual([]);
    await sweepChannels(world.services);
    expect(await left(id)).toEqual({ channels: 0, members: 0, messages: 0 });
  });

  test("leaves no member behind who joins at the same moment", async () => {
    const { id } = await world.channel(ada);
    const people = await Promise.all(Array.from({ length: 4 }, () => world.person()));
    const [, ...joins] = await Promise.all([
      world.call(`${path}/${id}/delete`, { method: "DELETE", as: ada }),
      ...people.map((person) => world.post(person, `${id}/join`)),
    ]);
    for (const { status } of joins) expect([200, 404]).toContain(status);
    await world.settled();
    expect(await left(id)).toEqual({ channels: 0, members: 0, messages: 0 });
  });

  async function left(id: string) {
    const [row] = await world.db.all(sql`SELECT (SELECT count(*) FROM channels WHERE id = ${id}) AS channels,
      (SELECT count(*) FROM channel_members WHERE channel_id = ${id}) AS members,
      (SELECT count(*) FROM channel_messages WHERE channel_id = ${id}) AS messages`);
    return row;
  }
});

describe("where channels are off", () => {
  test("nobody finds any, and whoever may not use them is told so", async () => {
    const { id } = await world.channel(ada);
    for (const [values, detail] of [
      [{ name: "ENABLE_CHANNELS", value: false }, "Channels are switched off"],
      [
        { name: "permissions.default", value: { features: { channels: false } } },
        "You need the permission features.channels. Ask an administrator for it",
      ],
    ] as const) {
      await world.db.insert(settings).values({ ...values, updatedAt: 0 });
      try {
        for (const at of ["/", "/list", "/browse", `/${id}`])
          expect(await world.call(`${path}${at}`, { as: ada })).toMatchObject({ status: 403, body: { detail } });
        expect((await create(ada, { name: "x" })).status).toBe(403);
      } finally {
        await world.db.delete(settings);
      }
    }
  });
});
