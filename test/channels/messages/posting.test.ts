import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChannelMessage } from "../../../src/channels/schema.ts";
import { channelsPath } from "../channel-world.ts";
import { contents, createTalk, type Said, type Talk } from "./talk.ts";

let talk: Awaited<ReturnType<typeof createTalk>>;
let world: Talk["world"];
let ada: Talk["ada"];
let grace: Talk["grace"];
let channel: Talk["channel"];
let post: Talk["post"];
let say: Talk["say"];
let get: Talk["get"];
let remove: Talk["remove"];
let told: Talk["told"];

beforeAll(async () => {
  talk = await createTalk();
});
afterAll(() => talk.close());
beforeEach(async () => {
  ({ world, ada, grace, channel, post, say, get, remove, told } = await talk.begin());
});

describe("posting", () => {
  test("gives each message the next number and tells the channel", async () => {
    const before = Date.now();
    const first = await say(ada, "Ahoy **all**", { meta: { mood: "fair", model_id: "gpt", webhook: { id: "x" } } });
    expect(first).toMatchObject({
      channel_id: channel.id,
      seq: 1,
      user_id: ada.id,
      content: "Ahoy **all**",
      parent_id: null,
      reply_to_id: null,
      files: [],
      data: false,
      // Nobody makes themselves look like a webhook or a model.
      meta: { mood: "fair" },
      state: "done",
      reactions: [],
      reply_count: 0,
      is_pinned: false,
      edited_at: null,
      deleted_at: null,
      user: { id: ada.id, name: ada.name, role: "user", is_deleted: false },
    });
    expect(first.created_at).toBeGreaterThanOrEqual(before);
    const second = await say(grace, "Aye", { temp_id: "t1" });
    expect(second).toMatchObject({ seq: 2, temp_id: "t1" });
    expect(await told()).toEqual([
      { type: "channel:message", data: { message: first } },
      { type: "channel:message", data: { message: second } },
    ]);
    expect((await world.view(ada, channel.id)).head).toBe(2);
  });

  test("makes whoever posts in a public channel a member, and nobody else", async () => {
    expect((await world.view(grace, channel.id)).is_member).toBe(false);
    await say(grace, "Ahoy");
    expect(await world.view(grace, channel.id)).toMatchObject({ is_member: true, user_count: 2, last_read: 1 });
    const version = world.told.at(-1)!.channel.membersVersion;
    await say(grace, "Again");
    await world.settled();
    expect(world.told.at(-1)!.channel.membersVersion).toBe(version);
  });

  test("takes one round trip beside the look-up of the caller", async () => {
    await say(grace, "Ahoy");
    world.roundTrips.reset();
    await say(grace, "Again <@U:nobody|Nobody>", { temp_id: "x" });
    expect(world.roundTrips.count).toBe(2);
  });

  test("again under the same key is the same message, told once", async () => {
    const key = { "idempotency-key": "k1" };
    const first = await post(ada, { content: "Once" }, key);
    const again = await post(ada, { content: "Other words" }, key);
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, content: "Once", seq: 1 } });
    expect((await say(ada, "Once", { temp_id: "k1" })).id).toBe(first.body.id);
    // Another sender's key is another key.
    expect((await post(grace, { content: "Mine" }, key)).body.seq).toBe(2);
    expect(await told()).toHaveLength(2);
    expect((await world.view(ada, channel.id)).head).toBe(2);
  });

  test("again under the key of a deleted message posts nothing", async () => {
    const { id } = await say(ada, "Regretted", { temp_id: "k" });
    await remove(ada, id);
    expect(await say(ada, "Regretted", { temp_id: "k" })).toMatchObject({ id, content: "" });
    expect((await get<ChannelMessage[]>(ada, "messages")).body).toEqual([]);
  });

  test("of many at once under one key takes one", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => say(ada, "Once", { temp_id: "race" })));
    expect(new Set(all.map((message) => message.id)).size).toBe(1);
    expect((await world.view(ada, channel.id)).head).toBe(1);
  });

  test.each([
    ["nothing", {}, 422],
    ["a blank text", { content: " \n\t" }, 422],
    ["no text", { content: 7 }, 422],
    ["too long a text", { content: "x".repeat(16_385) }, 422],
    ["too much beside it", { content: "x", data: { more: "x".repeat(20_000) } }, 422],
    ["too many files", { content: "x", files: Array.from({ length: 21 }, (_, at) => ({ id: `f${at}` })) }, 422],
    ["files that are none", { content: "x", data: { files: "all" } }, 422],
    ["half a character", { content: "\ud800" }, 422],
    ["an unknown parent", { content: "x", parent_id: "nothing" }, 404],
    ["an unknown message to quote", { content: "x", reply_to_id: "nothing" }, 404],
    ["an unknown file", { content: "x", files: [{ id: "nothing" }] }, 404],
    ["an empty key", { content: "x", temp_id: "" }, 422],
  ])("refuses %s", async (_, json, status) => {
    expect((await post(ada, json)).status).toBe(status);
    expect((await world.view(ada, channel.id)).head).toBe(0);
  });

  test("takes what is null for not said, as the peer's clients send it", async () => {
    const json = { content: "x", temp_id: null, parent_id: null, reply_to_id: null, data: null, meta: null };
    expect((await post(ada, json)).status).toBe(200);
  });

  test("is for those who read the channel", async () => {
    const hidden = await world.channel(ada, { is_private: true });
    const admin = await world.admin();
    const at = `${channelsPath}/${hidden.id}/messages/post`;
    expect((await world.call(at, { as: grace, json: { content: "x" } })).status).toBe(404);
    // They manage it, and do not read what is said in it.
    expect((await world.call(at, { as: admin, json: { content: "x" } })).status).toBe(403);
    expect(
      (await world.call(`${channelsPath}/nothing/messages/post`, { as: ada, json: { content: "x" } })).status,
    ).toBe(404);
  });
});

describe("threads", () => {
  test("are one deep, and count their answers", async () => {
    const head = await say(ada, "Who sails?");
    const first = await say(grace, "I do", { parent_id: head.id });
    const second = await say(ada, "Good", { parent_id: first.id });
    expect(second.parent_id).toBe(head.id);
    expect((await get(ada, `messages/${head.id}`)).body).toMatchObject({
      reply_count: 2,
      latest_reply_at: second.created_at,
    });
    expect(contents((await get<ChannelMessage[]>(ada, `messages/${head.id}/thread`)).body)).toEqual([
      "Good",
      "I do",
      "Who sails?",
    ]);
    expect(contents((await get<ChannelMessage[]>(ada, "messages")).body)).toEqual(["Who sails?"]);
    expect((await told()).at(-1)).toMatchObject({
      type: "channel:message:update",
      data: { message: { id: head.id, reply_count: 2 } },
    });
  });

  test("keep the place of a deleted head as long as there are answers", async () => {
    const head = await say(ada, "Who sails?");
    const answer = await say(grace, "I do", { parent_id: head.id });
    await remove(ada, head.id);
    const [left] = (await get<ChannelMessage[]>(grace, "messages")).body;
    expect(left).toMatchObject({
      id: head.id,
      content: "",
      user_id: null,
      reply_count: 1,
      user: { id: null, name: "" },
    });
    expect(left!.deleted_at).not.toBeNull();
    expect((await get(grace, `messages/${head.id}`)).status).toBe(404);
    // People in it go on.
    expect((await post(grace, { content: "Still here", parent_id: head.id })).status).toBe(200);
    await remove(grace, (await get<ChannelMessage[]>(grace, `messages/${head.id}/thread`)).body[0]!.id);
    await remove(grace, answer.id);
    expect((await get<ChannelMessage[]>(grace, "messages")).body).toEqual([]);
    expect((await told()).slice(-2)).toEqual([
      { type: "channel:message:delete", data: { id: answer.id, seq: answer.seq } },
      { type: "channel:message:delete", data: { id: head.id, seq: head.seq } },
    ]);
    expect((await post(grace, { content: "Too late", parent_id: head.id })).status).toBe(404);
  });

  test("of other channels are none", async () => {
    const other = await world.channel(ada);
    const { body } = await world.call<Said>(`${channelsPath}/${other.id}/messages/post`, {
      as: ada,
      json: { content: "There" },
    });
    expect((await post(ada, { content: "x", parent_id: body.id })).status).toBe(404);
    expect((await get(ada, `messages/${body.id}`)).status).toBe(404);
    expect((await get(ada, `messages/${body.id}/thread`)).status).toBe(404);
  });
});

describe("quoting", () => {
  test("shows the beginning of what is quoted, as it is now", async () => {
    const first = await say(grace, "x".repeat(400));
    const quote = await say(ada, "This", { reply_to_id: first.id });
    expect(quote.reply_to_message).toMatchObject({
      id: first.id,
      seq: first.seq,
      parent_id: null,
      content: "x".repeat(300),
      user: { id: grace.id },
    });
    await remove(grace, first.id);
    expect((await get(ada, `messages/${quote.id}`)).body).toMatchObject({
      reply_to_id: first.id,
      reply_to_message: null,
    });
    expect((await post(ada, { content: "x", reply_to_id: first.id })).status).toBe(404);
  });
});
