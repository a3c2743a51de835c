import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/channels/messages/schema.ts";
import type { ChannelMessage, ChannelView } from "../../../src/channels/schema.ts";
import type { Person } from "../../world.ts";
import { channelsPath as base, type ChannelWorld, createChannelWorld } from "../channel-world.ts";

let world: ChannelWorld;
let ada: Person;
let grace: Person;
let channel: ChannelView;
let path: string;

beforeAll(async () => {
  world = await createChannelWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, grace] = await Promise.all([world.person(), world.person({ name: "Grace H" })]);
  channel = await world.channel(ada);
  path = `${base}/${channel.id}`;
  await world.settled();
  world.told.length = 0;
});

type Said = ChannelMessage & { detail: string };
const post = (as: Person, json: unknown, headers = {}) =>
  world.call<Said>(`${path}/messages/post`, { as, json, headers });
const say = async (as: Person, content: string, more = {}) => (await post(as, { content, ...more })).body;
const get = <T = Said>(as: Person, at: string) => world.call<T>(`${path}/${at}`, { as });
const change = <T = Said>(as: Person, at: string, json: unknown) =>
  world.call<T>(`${path}/messages/${at}`, { as, json });
const remove = (as: Person, id: string) => world.call(`${path}/messages/${id}/delete`, { as, method: "DELETE" });
const contents = (messages: ChannelMessage[]) => messages.map((message) => message.content);
async function told() {
  await world.settled();
  return world.told.filter(({ event }) => event.type.startsWith("channel:message")).map(({ event }) => event);
}

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
    const at = `${base}/${hidden.id}/messages/post`;
    expect((await world.call(at, { as: grace, json: { content: "x" } })).status).toBe(404);
    // They manage it, and do not read what is said in it.
    expect((await world.call(at, { as: admin, json: { content: "x" } })).status).toBe(403);
    expect((await world.call(`${base}/nothing/messages/post`, { as: ada, json: { content: "x" } })).status).toBe(404);
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
    const { body } = await world.call<Said>(`${base}/${other.id}/messages/post`, {
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
    expect(quote.reply_to_message).toMatchObject({ id: first.id, content: "x".repeat(300), user: { id: grace.id } });
    await remove(grace, first.id);
    expect((await get(ada, `messages/${quote.id}`)).body).toMatchObject({
      reply_to_id: first.id,
      reply_to_message: null,
    });
    expect((await post(ada, { content: "x", reply_to_id: first.id })).status).toBe(404);
  });
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

describe("history", () => {
  const history = async (query = "") => (await get<HistoryPage>(ada, `history${query}`)).body;
  const outline = ({ messages, from, to, head }: HistoryPage) => ({
    seqs: messages.map((one) => one.seq),
    from,
    to,
    head,
  });

  test("comes in pages without holes, whichever way", async () => {
    expect(outline(await history())).toEqual({ seqs: [], from: 0, to: 0, head: 0 });
    const heads: Said[] = [];
    for (let at = 0; at < 6; at++) heads.push(await say(ada, `m${at}`));
    for (let at = 0; at < 3; at++) await say(grace, `a${at}`, { parent_id: heads[1]!.id });
    await say(ada, "last");
    await remove(ada, heads[4]!.id);
    // Numbers 1 to 6 and 10 in the channel, 7 to 9 in a thread, 5 deleted.
    expect(outline(await history())).toEqual({ seqs: [1, 2, 3, 4, 6, 10], from: 0, to: 10, head: 10 });
    expect(outline(await history("?limit=2"))).toEqual({ seqs: [6, 10], from: 6, to: 10, head: 10 });
    expect(outline(await history("?limit=2&before=6"))).toEqual({ seqs: [3, 4], from: 3, to: 5, head: 10 });
    expect(outline(await history("?limit=2&before=3"))).toEqual({ seqs: [1, 2], from: 0, to: 2, head: 10 });
    expect(outline(await history("?limit=2&before=1"))).toEqual({ seqs: [], from: 0, to: 0, head: 10 });
    expect(outline(await history("?limit=2&after=2"))).toEqual({ seqs: [3, 4], from: 3, to: 4, head: 10 });
    expect(outline(await history("?limit=2&after=4"))).toEqual({ seqs: [6, 10], from: 5, to: 10, head: 10 });
    expect(outline(await history("?after=10"))).toEqual({ seqs: [], from: 11, to: 10, head: 10 });
    expect(outline(await history("?limit=4&around=3"))).toEqual({ seqs: [1, 2, 3, 4], from: 0, to: 4, head: 10 });
    expect(outline(await history("?limit=2&around=5"))).toEqual({ seqs: [4, 6], from: 4, to: 6, head: 10 });
    expect(outline(await history("?limit=1&around=3"))).toEqual({ seqs: [3], from: 3, to: 3, head: 10 });
    const thread = `parent_id=${heads[1]!.id}`;
    expect(outline(await history(`?${thread}`))).toEqual({ seqs: [2, 7, 8, 9], from: 0, to: 10, head: 10 });
    expect(outline(await history(`?${thread}&limit=2`))).toEqual({ seqs: [8, 9], from: 8, to: 10, head: 10 });
    expect((await get(ada, "history?parent_id=nothing")).status).toBe(404);
  });

  test("the peer's pages count from the newest", async () => {
    for (let at = 0; at < 5; at++) await say(ada, `m${at}`);
    expect(contents((await get<ChannelMessage[]>(ada, "messages?skip=1&limit=2")).body)).toEqual(["m3", "m2"]);
    expect(contents((await get<ChannelMessage[]>(ada, "messages")).body)).toEqual(["m4", "m3", "m2", "m1", "m0"]);
  });

  test.each([
    "history?before=1&after=2",
    "history?limit=0",
    "history?limit=101",
    "history?before=x",
    "messages?limit=0",
    "messages?skip=-1",
  ])("refuses %s", async (at) => expect((await get(ada, at)).status).toBe(422));

  test("takes one round trip", async () => {
    await say(ada, "Ahoy");
    for (const at of ["history", "messages", "messages/pinned"]) {
      world.roundTrips.reset();
      await get(ada, at);
      expect(world.roundTrips.count).toBe(2);
    }
  });

  test("is closed to those who do not read the channel", async () => {
    channel = await world.channel(ada, { is_private: true });
    path = `${base}/${channel.id}`;
    const { id } = await say(ada, "Hush");
    const admin = await world.admin();
    for (const at of [
      "history",
      "messages",
      "messages/pinned",
      `messages/${id}`,
      `messages/${id}/data`,
      `messages/${id}/thread`,
    ]) {
      expect((await get(grace, at)).status, at).toBe(404);
      expect((await get(admin, at)).status, at).toBe(403);
    }
    for (const [at, json] of [
      ["update", { content: "x" }],
      ["pin", { is_pinned: true }],
      ["reactions/add", { name: "x" }],
      ["reactions/remove", { name: "x" }],
    ] as const) {
      expect((await change(grace, `${id}/${at}`, json)).status, at).toBe(404);
      expect((await change(admin, `${id}/${at}`, json)).status, at).toBe(403);
    }
    expect((await remove(grace, id)).status).toBe(404);
    expect((await remove(admin, id)).status).toBe(403);
    expect((await get(ada, `messages/${id}`)).body).toMatchObject({ content: "Hush", is_pinned: false, reactions: [] });
  });
});

describe("data", () => {
  test("is kept, with the files beside the message", async () => {
    const { id } = await say(ada, "Look", { data: { order: { id: 7 } } });
    expect((await get(ada, `messages/${id}/data`)).body).toEqual({ order: { id: 7 }, files: [] });
    expect((await get(ada, `messages/${id}`)).body.data).toBe(true);
  });
});
