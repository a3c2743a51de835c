import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/channels/messages/schema.ts";
import type { ChannelMessage } from "../../../src/channels/schema.ts";
import { contents, createTalk, type Said, type Talk } from "./talk.ts";

let talk: Awaited<ReturnType<typeof createTalk>>;
let world: Talk["world"];
let ada: Talk["ada"];
let grace: Talk["grace"];
let say: Talk["say"];
let get: Talk["get"];
let change: Talk["change"];
let remove: Talk["remove"];

beforeAll(async () => {
  talk = await createTalk();
});
afterAll(() => talk.close());
beforeEach(async () => {
  ({ world, ada, grace, say, get, change, remove } = await talk.begin());
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
    for (const at of ["history", "messages", "messages/pinned", "messages/mentions"]) {
      world.roundTrips.reset();
      await get(ada, at);
      expect(world.roundTrips.count).toBe(2);
    }
  });

  test("is closed to those who do not read the channel", async () => {
    ({ world, ada, grace, say, get, change, remove } = await talk.begin({ is_private: true }));
    const { id } = await say(ada, "Hush");
    const admin = await world.admin();
    for (const at of [
      "history",
      "messages",
      "messages/pinned",
      "messages/mentions",
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
