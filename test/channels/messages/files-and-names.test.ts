import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChannelMessage } from "../../../src/channels/schema.ts";
import { readMentions } from "../../../src/shared/mentions.ts";
import { contents, createTalk, type Talk } from "./talk.ts";

let talk: Awaited<ReturnType<typeof createTalk>>;
let world: Talk["world"];
let ada: Talk["ada"];
let grace: Talk["grace"];
let channel: Talk["channel"];
let post: Talk["post"];
let say: Talk["say"];
let change: Talk["change"];
let remove: Talk["remove"];
let get: Talk["get"];

beforeAll(async () => {
  talk = await createTalk();
});
afterAll(() => talk.close());
beforeEach(async () => {
  ({ world, ada, grace, channel, post, say, change, remove, get } = await talk.begin());
});

const reads = async (as: Talk["ada"], file: string) =>
  (await world.call(`/api/v1/files/${file}`, { as })).status === 200 &&
  (await world.call(`/api/v1/files/${file}/content`, { as })).status === 200;

describe("files", () => {
  test("are read by whoever reads the message, and only read", async () => {
    const [first, second] = [await world.file(ada, { name: "tides.txt" }), await world.file(ada, { name: "moon.txt" })];
    expect(await reads(grace, first)).toBe(false);
    const files = [{ id: first, type: "file" }, { id: second }, { id: first }];
    const message = await say(ada, "", { data: { files } });
    expect(message.files.map((file) => file.name)).toEqual(["tides.txt", "moon.txt"]);
    expect(message.data).toBe(true);
    expect(message.files[0]).toEqual({
      id: first,
      name: "tides.txt",
      size: expect.any(Number),
      content_type: "text/plain",
    });
    expect(await reads(grace, first)).toBe(true);
    const renamed = await world.call(`/api/v1/files/${first}/rename`, { as: grace, json: { filename: "mine.txt" } });
    expect(renamed.status).toBe(403);
    expect((await world.call(`/api/v1/files/${first}`, { as: grace, method: "DELETE" })).status).toBe(403);
    expect((await get(ada, `messages/${message.id}/data`)).body).toEqual({
      files: message.files.map((file) => ({ ...file, type: "file" })),
    });
  });

  test("are closed again when the message is deleted, or says so, or the reader has gone", async () => {
    const { world, ada, grace, channel, say, remove, change } = await talk.begin({ is_private: true });
    await world.post(ada, `${channel.id}/update/members/add`, { user_ids: [grace.id] });
    const [first, second] = [await world.file(ada), await world.file(ada)];
    const one = await say(ada, "One", { files: [{ id: first }] });
    const two = await say(ada, "Two", { files: [{ id: second }] });
    expect([await reads(grace, first), await reads(grace, second)]).toEqual([true, true]);
    await remove(ada, one.id);
    expect([await reads(grace, first), await reads(grace, second)]).toEqual([false, true]);
    await change(ada, `${two.id}/update`, { content: "Two", files: [] });
    expect(await reads(grace, second)).toBe(false);
    await change(ada, `${two.id}/update`, { content: "Two", files: [{ id: second }] });
    expect(await reads(grace, second)).toBe(true);
    await world.post(ada, `${channel.id}/update/members/remove`, { user_ids: [grace.id] });
    expect(await reads(grace, second)).toBe(false);
  });

  test("are closed to whoever may no longer use channels", async () => {
    const { world, ada, grace, say } = await talk.begin();
    const file = await world.file(ada);
    await say(ada, "One", { files: [{ id: file }] });
    expect(await reads(grace, file)).toBe(true);
    const tree = { features: { channels: false } };
    expect(
      (await world.call("/api/v1/users/default/permissions", { as: await world.admin(), json: tree })).status,
    ).toBe(200);
    expect([await reads(grace, file), await reads(ada, file)]).toEqual([false, true]);
    const again = { features: { channels: true } };
    await world.call("/api/v1/users/default/permissions", { as: await world.admin(), json: again });
    expect(await reads(grace, file)).toBe(true);
  });

  test("may stand beside several messages, passed on by whoever reads them", async () => {
    const file = await world.file(ada);
    expect((await post(grace, { content: "Look", files: [{ id: file }] })).status).toBe(404);
    const one = await say(ada, "Look", { files: [{ id: file }] });
    const two = await say(grace, "Yes, look", { files: [{ id: file }] });
    expect(two.files).toEqual(one.files);
    await remove(ada, one.id);
    expect((await get(ada, `messages/${two.id}`)).body.files).toEqual(one.files);
  });

  test("are gone from the message with the file", async () => {
    const file = await world.file(ada);
    const { id } = await say(ada, "Look", { files: [{ id: file }] });
    await world.call(`/api/v1/files/${file}`, { as: ada, method: "DELETE" });
    expect((await get(grace, `messages/${id}`)).body.files).toEqual([]);
  });

  test("let a message say nothing else", async () => {
    const file = await world.file(ada);
    const withFile = await say(ada, "Look", { files: [{ id: file }] });
    expect((await change(ada, `${withFile.id}/update`, { content: "" })).status).toBe(200);
    expect((await change(ada, `${withFile.id}/update`, { content: "", files: [] })).status).toBe(422);
    const without = await say(ada, "Look");
    expect((await change(ada, `${without.id}/update`, { content: "" })).status).toBe(422);
  });
});

describe("names", () => {
  const mentioned = async (as: Talk["ada"]) => (await world.view(as, channel.id)).mention_count;

  test("are read from the text, bounded and without being led astray", () => {
    const text = "<@U:u1|Ada> and <@M:gpt-4:mini/x|GPT> in <#C:c1> not <@U:> <@C:x|y> <#U:z> <@U:a|b\n> <@U:a<@U:u2|B>";
    const found = readMentions(text);
    expect(found.map(({ kind, id, label }) => [kind, id, label])).toEqual([
      ["user", "u1", "Ada"],
      ["model", "gpt-4:mini/x", "GPT"],
      ["channel", "c1", ""],
      ["user", "u2", "B"],
    ]);
    expect(text.slice(found[0]!.start, found[0]!.end)).toBe("<@U:u1|Ada>");
    expect(readMentions("<@U:x|y>".repeat(1000))).toHaveLength(50);
    expect(readMentions(`${"<@U:".repeat(5000)}${"x".repeat(10_000)}`)).toEqual([]);
  });

  test("count for the people who are named, until they are read, wherever they stand", async () => {
    await say(grace, "I am here");
    const head = await say(ada, `Ahoy <@U:${grace.id}|Grace> and <@U:${ada.id}|me> and <@U:nobody|Nobody>`);
    await say(ada, `Again <@U:${grace.id}|Grace>`, { parent_id: head.id });
    expect(await mentioned(grace)).toBe(2);
    expect(await mentioned(ada)).toBe(0);
    await world.post(grace, `${channel.id}/read`, { seq: 3 });
    expect(await mentioned(grace)).toBe(1);
    await world.post(grace, `${channel.id}/read`, { seq: 2, parent_id: head.id });
    expect(await mentioned(grace)).toBe(1);
    await world.post(grace, `${channel.id}/read`, { seq: 3, parent_id: head.id });
    expect(await mentioned(grace)).toBe(0);
  });

  test("lead to the messages, also those in threads, until they are read", async () => {
    const named = async (as: Talk["ada"]) => contents((await get<ChannelMessage[]>(as, "messages/mentions")).body);
    await say(grace, "I am here");
    const head = await say(ada, `Ahoy <@U:${grace.id}|Grace>`);
    const reply = await say(ada, `Again <@U:${grace.id}|Grace>`, { parent_id: head.id });
    expect(await named(grace)).toEqual([head.content, reply.content]);
    expect(await named(ada)).toEqual([]);
    await world.post(grace, `${channel.id}/read`, { seq: reply.seq });
    expect(await named(grace)).toEqual([reply.content]);
    await remove(ada, reply.id);
    expect(await named(grace)).toEqual([]);
  });

  test("follow what is edited and deleted", async () => {
    await say(grace, "I am here");
    const { id } = await say(ada, "Ahoy");
    await change(ada, `${id}/update`, { content: `Ahoy <@U:${grace.id}|Grace>` });
    expect(await mentioned(grace)).toBe(1);
    await change(ada, `${id}/update`, { content: "Ahoy all" });
    expect(await mentioned(grace)).toBe(0);
    await change(ada, `${id}/update`, { content: `<@U:${grace.id}|Grace>` });
    await remove(ada, id);
    expect(await mentioned(grace)).toBe(0);
  });

  test("of people who cannot read it are only text", async () => {
    const { world, ada, grace, channel, say } = await talk.begin({ is_private: true });
    await say(ada, `<@U:${grace.id}|Grace>`);
    await world.post(ada, `${channel.id}/update/members/add`, { user_ids: [grace.id] });
    const rows = await world.client.execute({
      sql: "SELECT * FROM channel_mentions WHERE user_id = ?",
      args: [grace.id],
    });
    expect(rows.rows).toEqual([]);
  });
});
