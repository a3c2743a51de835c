import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SearchPage } from "../../../src/channels/messages/schema.ts";
import { sweepChannelSearch } from "../../../src/channels/messages/sweep-channel-search.ts";
import { channelsPath } from "../channel-world.ts";
import { contents, createTalk, type Talk } from "./talk.ts";

let talk: Awaited<ReturnType<typeof createTalk>>;
let world: Talk["world"];
let ada: Talk["ada"];
let grace: Talk["grace"];
let channel: Talk["channel"];
let say: Talk["say"];
let change: Talk["change"];
let remove: Talk["remove"];
/** A word that no other test says. */
let word: string;
let words = 0;

beforeAll(async () => {
  talk = await createTalk();
});
afterAll(() => talk.close());
beforeEach(async () => {
  ({ world, ada, grace, channel, say, change, remove } = await talk.begin());
  word = `lantern${"x".repeat(++words)}`;
});

const search = (as: Talk["ada"], q: string, more = "") =>
  world.call<SearchPage>(`${channelsPath}/search?q=${encodeURIComponent(q)}${more}`, { as });
const found = async (as: Talk["ada"], q: string, more = "") => contents((await search(as, q, more)).body.messages);

describe("searching", () => {
  test("finds all words in a message, newest first, threads included", async () => {
    const head = await say(ada, `The ${word} of the harbour`);
    await say(grace, `A ${word}`, { parent_id: head.id });
    await say(ada, `${word.toUpperCase()}s and harbours`);
    expect(await found(ada, word)).toEqual([
      `${word.toUpperCase()}s and harbours`,
      `A ${word}`,
      `The ${word} of the harbour`,
    ]);
    expect(await found(ada, `harbour ${word}`)).toEqual([`The ${word} of the harbour`]);
    expect(await found(ada, `${word} ship`)).toEqual([]);
    const [hit] = (await search(ada, `harbour ${word}`)).body.messages;
    expect(hit).toMatchObject({
      channel: { id: channel.id, name: channel.name, type: null },
      snippet: `The ${word} of the harbour`,
    });
  });

  test("goes by the text as it is now", async () => {
    const { id } = await say(ada, `Old ${word}`);
    await change(ada, `${id}/update`, { content: `New ${word}` });
    expect(await found(ada, `old ${word}`)).toEqual([]);
    expect(await found(ada, `new ${word}`)).toEqual([`New ${word}`]);
    await remove(ada, id);
    expect(await found(ada, word)).toEqual([]);
    await world.client.execute("INSERT INTO channel_search (channel_search) VALUES ('integrity-check')");
  });

  test("shows only what the reader reads", async () => {
    const other = await talk.begin({ is_private: true });
    await other.say(other.ada, `Hidden ${word}`);
    await say(ada, `Open ${word}`);
    const stranger = await world.person({ organizationId: await world.organization() });
    expect(await found(grace, word)).toEqual([`Open ${word}`]);
    expect(await found(other.ada, word)).toEqual([`Open ${word}`, `Hidden ${word}`].sort().reverse());
    expect(await found(await world.admin(), word)).toEqual([`Open ${word}`]);
    expect(await found(stranger, word)).toEqual([]);
    expect((await search(grace, word, `&channel_id=${other.channel.id}`)).status).toBe(404);
    expect((await search(await world.admin(), word, `&channel_id=${other.channel.id}`)).status).toBe(403);
  });

  test("may stay in one channel", async () => {
    const other = await talk.begin();
    await other.say(other.ada, `There ${word}`);
    await say(ada, `Here ${word}`);
    expect(await found(ada, word, `&channel_id=${channel.id}`)).toEqual([`Here ${word}`]);
  });

  test("comes in pages", async () => {
    for (let at = 0; at < 5; at++) await say(ada, `${word} ${at}`);
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 5; page++) {
      const { body } = await search(ada, word, `&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...contents(body.messages));
      if (body.next_cursor === null) break;
      cursor = body.next_cursor;
    }
    expect(seen).toEqual([4, 3, 2, 1, 0].map((at) => `${word} ${at}`));
    expect((await search(ada, word, "&cursor=rubbish")).status).toBe(400);
  });

  test("finds scripts without spaces before and after they are in the index, as they are now", async () => {
    const there = await talk.begin();
    await there.say(there.ada, "別の港");
    const old = await say(ada, "古い港の灯台 1");
    const gone = await say(ada, "我们的港");
    await say(grace, "我们部署Docker容器");
    await say(grace, "港の灯台 2");
    const here = `&channel_id=${channel.id}`;
    const expected = {
      港: ["港の灯台 2", "我们的港", "古い港の灯台 1"],
      "灯台 1": ["古い港の灯台 1"],
      Docker容器: ["我们部署Docker容器"],
    };
    const all = async () => Promise.all(Object.keys(expected).map((q) => found(ada, q, here)));
    expect(await all()).toEqual(Object.values(expected));
    await sweepChannelSearch(world.services);
    expect(await all()).toEqual(Object.values(expected));
    expect(await found(ada, "docker", here)).toEqual(["我们部署Docker容器"]);
    expect(await found(ada, "別の", here)).toEqual([]);
    const [first, second] = [(await search(ada, "港", `${here}&limit=2`)).body, "&limit=2"];
    expect(contents(first.messages)).toEqual(["港の灯台 2", "我们的港"]);
    expect(await found(ada, "港", `${here}${second}&cursor=${encodeURIComponent(first.next_cursor!)}`)).toEqual([
      "古い港の灯台 1",
    ]);
    await remove(ada, gone.id);
    await change(ada, `${old.id}/update`, { content: "新しい駅" });
    expect(await found(ada, "港", here)).toEqual(["港の灯台 2"]);
    expect(await found(ada, "駅", here)).toEqual(["新しい駅"]);
    await sweepChannelSearch(world.services);
    expect(await found(ada, "港", here)).toEqual(["港の灯台 2"]);
    expect(await found(ada, "駅", here)).toEqual(["新しい駅"]);
  });

  test("takes signs, scripts without blanks and what looks like syntax as letters", async () => {
    await say(ada, `${word} 50% off "all" (or) NEAR`);
    await say(ada, `${word} 港の灯台`);
    for (const q of [`${word} 50%`, `${word} "all"`, `(or) ${word}`, `NEAR ${word}`])
      expect(await found(ada, q)).toHaveLength(1);
    expect(await found(ada, `${word} 灯台`)).toEqual([`${word} 港の灯台`]);
    expect(await found(ada, "灯台", `&channel_id=${channel.id}`)).toEqual([`${word} 港の灯台`]);
    expect(await found(ada, `${word} 5_%`)).toEqual([]);
    // A mark without its letter.
    expect(await found(ada, "\u0301", `&channel_id=${channel.id}`)).toEqual([]);
    for (const q of ["", "  ", '"', "*", "a:b", "^x", "-"]) expect((await search(ada, q)).status).toBe(200);
  });
});
