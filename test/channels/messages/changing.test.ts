import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChannelMessage } from "../../../src/channels/schema.ts";
import { contents, createTalk, type Talk } from "./talk.ts";

let talk: Awaited<ReturnType<typeof createTalk>>;
let world: Talk["world"];
let ada: Talk["ada"];
let grace: Talk["grace"];
let say: Talk["say"];
let get: Talk["get"];
let change: Talk["change"];
let remove: Talk["remove"];
let told: Talk["told"];

beforeAll(async () => {
  talk = await createTalk();
});
afterAll(() => talk.close());
beforeEach(async () => {
  ({ world, ada, grace, say, get, change, remove, told } = await talk.begin());
});

describe("editing", () => {
  test("is its author's, marks it and tells", async () => {
    const { id, updated_at } = await say(ada, "Wird", { meta: { a: 1 }, data: { b: 2 } });
    const { status, body } = await change(ada, `${id}/update`, { content: "Word" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ content: "Word", meta: { a: 1 }, data: true });
    expect(body.edited_at).not.toBeNull();
    expect(body.updated_at).toBeGreaterThan(updated_at);
    expect((await told()).at(-1)).toEqual({ type: "channel:message:update", data: { message: body } });
    expect((await change(grace, `${id}/update`, { content: "Mine" })).status).toBe(403);
    expect((await change(ada, `${id}/update`, { content: " " })).status).toBe(422);
    expect((await change(ada, "nothing/update", { content: "x" })).status).toBe(404);
    expect((await get(ada, `messages/${id}`)).body.content).toBe("Word");
  });

  test("takes one round trip", async () => {
    const { id } = await say(ada, "Wird");
    world.roundTrips.reset();
    await change(ada, `${id}/update`, { content: "Word" });
    expect(world.roundTrips.count).toBe(2);
  });
});

describe("deleting", () => {
  test("is for its author and for managers of the channel, once", async () => {
    const mine = await say(grace, "Mine");
    const other = await say(grace, "Other");
    const adas = await say(ada, "Ada's");
    expect((await remove(grace, adas.id)).status).toBe(403);
    expect(await remove(grace, mine.id)).toMatchObject({ status: 200, body: true });
    expect((await remove(grace, mine.id)).status).toBe(404);
    expect((await remove(ada, other.id)).status).toBe(200);
    expect(contents((await get<ChannelMessage[]>(ada, "messages")).body)).toEqual(["Ada's"]);
    expect((await told()).at(-1)).toEqual({ type: "channel:message:delete", data: { id: other.id, seq: other.seq } });
    expect((await get(ada, `messages/${mine.id}`)).status).toBe(404);
  });

  test("leaves nothing of it in the database", async () => {
    const { id } = await say(ada, "Secret words", { meta: { a: "secret" }, data: { b: "secret" } });
    await change(ada, `${id}/reactions/add`, { name: "👍" });
    await remove(ada, id);
    const rows = await world.client.execute({ sql: "SELECT * FROM channel_messages WHERE id = ?", args: [id] });
    expect(JSON.stringify(rows.rows)).not.toMatch(/secret/i);
    const reactions = await world.client.execute({
      sql: "SELECT * FROM channel_reactions WHERE message_id = ?",
      args: [id],
    });
    expect(reactions.rows).toEqual([]);
  });
});

describe("reactions", () => {
  test("are counted by name, each person once", async () => {
    const { id } = await say(ada, "Ahoy");
    for (const [who, name] of [
      [ada, "👍"],
      [grace, "👍"],
      [grace, "👍"],
      [grace, "wave"],
    ] as const)
      expect((await change(who, `${id}/reactions/add`, { name })).body).toBe(true);
    expect((await get(ada, `messages/${id}`)).body.reactions).toEqual([
      {
        name: "👍",
        count: 2,
        users: [
          { id: ada.id, name: ada.name },
          { id: grace.id, name: grace.name },
        ],
        mine: true,
      },
      { name: "wave", count: 1, users: [{ id: grace.id, name: grace.name }], mine: false },
    ]);
    expect(await told()).toHaveLength(1 + 3);
    await change(grace, `${id}/reactions/remove`, { name: "👍" });
    await change(grace, `${id}/reactions/remove`, { name: "👍" });
    const events = await told();
    expect(events).toHaveLength(1 + 3 + 1);
    expect(events.at(-1)).toMatchObject({
      type: "channel:message:update",
      data: {
        message: {
          id,
          reactions: [
            { name: "👍", count: 1, mine: false },
            { name: "wave", count: 1, mine: false },
          ],
        },
        reaction: { name: "👍", user_id: grace.id, added: false },
      },
    });
  });

  test("name the first people, and tell each whether they are one of them", async () => {
    const { id } = await say(ada, "Ahoy");
    const people = await Promise.all(Array.from({ length: 23 }, () => world.person()));
    for (const person of people) await change(person, `${id}/reactions/add`, { name: "👍" });
    const last = (await get(people.at(-1)!, `messages/${id}`)).body.reactions[0]!;
    expect(last).toMatchObject({ count: 23, mine: true });
    expect(last.users).toHaveLength(20);
    expect((await get(ada, `messages/${id}`)).body.reactions[0]).toMatchObject({ count: 23, mine: false });
  });

  test("are bounded, and names of them are names", async () => {
    const { id } = await say(ada, "Ahoy");
    for (let at = 0; at < 50; at++) await change(ada, `${id}/reactions/add`, { name: `r${at}` });
    expect((await change(ada, `${id}/reactions/add`, { name: "one-more" })).status).toBe(409);
    expect((await change(grace, `${id}/reactions/add`, { name: "r0" })).status).toBe(200);
    for (const name of ["", "two words", "x".repeat(65), 7, "a\u0000"])
      expect((await change(ada, `${id}/reactions/add`, { name })).status).toBe(422);
    expect((await change(ada, "nothing/reactions/add", { name: "x" })).status).toBe(404);
  });
});

describe("pins", () => {
  test("are listed, the latest first, and told", async () => {
    const [first, second] = [await say(ada, "One"), await say(ada, "Two")];
    const { body } = await change(grace, `${first.id}/pin`, { is_pinned: true });
    expect(body).toMatchObject({ is_pinned: true, pinned_by: grace.id });
    await change(grace, `${second.id}/pin`, { is_pinned: true });
    await change(ada, `${second.id}/pin`, { is_pinned: true });
    expect(contents((await get<ChannelMessage[]>(ada, "messages/pinned")).body).sort()).toEqual(["One", "Two"]);
    expect((await told()).slice(2)).toHaveLength(2);
    await change(ada, `${first.id}/pin`, { is_pinned: false });
    expect(contents((await get<ChannelMessage[]>(ada, "messages/pinned")).body)).toEqual(["Two"]);
    expect((await get<ChannelMessage[]>(ada, "messages/pinned?page=2")).body).toEqual([]);
    await remove(ada, second.id);
    expect((await get<ChannelMessage[]>(ada, "messages/pinned")).body).toEqual([]);
    expect((await change(ada, "nothing/pin", { is_pinned: true })).status).toBe(404);
  });
});

describe("what others said", () => {
  test("system administrators who read it may change, and this is in the audit log, as is what managers delete", async () => {
    const admin = await world.admin();
    const { id } = await say(grace, "Rude words");
    expect((await change(admin, `${id}/update`, { content: "Kind words" })).body).toMatchObject({
      content: "Kind words",
      user: { id: grace.id },
    });
    await remove(ada, id);
    const own = await say(grace, "Mine");
    await change(grace, `${own.id}/update`, { content: "Still mine" });
    await remove(grace, own.id);
    const log = await world.call<{ events: { action: string; actor: { id: string }; detail: unknown }[] }>(
      `/api/v1/audit?target_id=${own.channel_id}`,
      { as: admin },
    );
    const said = log.body.events.filter((event) => event.action.startsWith("channel.message"));
    expect(said.map(({ action, actor, detail }) => ({ action, actor_id: actor.id, detail }))).toEqual([
      { action: "channel.message_deleted", actor_id: ada.id, detail: { message_id: id, sender: `user:${grace.id}` } },
      { action: "channel.message_edited", actor_id: admin.id, detail: { message_id: id } },
    ]);
    expect(JSON.stringify(said)).not.toContain("words");
  });

  test("stays theirs in direct conversations", async () => {
    const { body: direct } = await world.call<{ id: string }>(`/api/v1/channels/users/${grace.id}`, {
      as: await world.admin(),
    });
    const at = `/api/v1/channels/${direct.id}/messages`;
    const { body } = await world.call<{ id: string }>(`${at}/post`, { as: grace, json: { content: "Ahoy" } });
    const admin = await world.admin();
    expect((await world.call(`${at}/${body.id}/update`, { as: admin, json: { content: "x" } })).status).toBe(403);
    expect((await world.call(`${at}/${body.id}/delete`, { as: admin, method: "DELETE" })).status).toBe(403);
  });
});
