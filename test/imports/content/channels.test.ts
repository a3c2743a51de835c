import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HistoryPage } from "../../../src/channels/messages/schema.ts";
import type { ChannelMessage, ChannelView } from "../../../src/channels/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import type { Person } from "../../world.ts";
import { createImportWorld, type ImportWorld } from "./import-world.ts";

let world: ImportWorld;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  world = await createImportWorld();
  [ada, ben] = [await world.person({ name: "Ada" }), await world.person({ name: "Ben" })];
  await world.know("owui-ada", ada);
  await world.know("owui-ben", ben);
});
afterAll(() => world.close());

const channel = (id: string, more: Record<string, unknown> = {}) => ({
  kind: "channel",
  id,
  person_id: "owui-ada",
  type: "private",
  name: `Deck ${id}`,
  description: "About ships",
  members: [{ person_id: "owui-ada", role: "manager" }, { person_id: "owui-ben" }],
  created_at: 1_600_000_000_000,
  updated_at: 1_600_000_001_000,
  ...more,
});
const message = (id: string, channelId: string, more: Record<string, unknown> = {}) => ({
  kind: "channel_message",
  id,
  channel_id: channelId,
  person_id: "owui-ada",
  content: "Ahoy",
  created_at: 1_600_000_002_000,
  ...more,
});
const history = async (id: string, as = ada, parentId?: string) =>
  (
    await world.call<HistoryPage>(
      `/api/v1/channels/${id}/history${parentId === undefined ? "" : `?parent_id=${parentId}`}`,
      { as },
    )
  ).body.messages;

describe("a channel", () => {
  test("arrives with its people and times", async () => {
    const id = newId();
    const [result] = await world.post([channel(id, { members: [...channel(id).members, { person_id: "gone" }] })]);
    expect(result).toMatchObject({ state: "changed", target_id: id, notes: ["1 of its people weren't imported"] });
    const { body } = await world.call<ChannelView>(`/api/v1/channels/${id}`, { as: ada });
    expect(body).toMatchObject({
      description: "About ships",
      created_at: 1_600_000_000_000,
      updated_at: 1_600_000_001_000,
    });
    expect((await world.call(`/api/v1/channels/${id}`, { as: ben })).status).toBe(200);
    expect((await world.call(`/api/v1/channels/${id}`, { as: await world.person() })).status).toBe(404);
    const roles = await world.db.all(
      sql`SELECT user_id, role FROM channel_members WHERE channel_id = ${id} ORDER BY role`,
    );
    expect(roles).toEqual([
      { user_id: ada.id, role: "manager" },
      { user_id: ben.id, role: "member" },
    ]);
  });

  test("that is public is everybody's, and gets another name where its own is taken", async () => {
    const [one, two] = [newId(), newId()];
    const results = await world.post([
      channel(one, { type: "public", name: "Releases Here" }),
      channel(two, { type: "public", name: "#releases here" }),
    ]);
    expect(results.map(({ state }) => state)).toEqual(["created", "changed"]);
    const reader = await world.person();
    expect((await world.call(`/api/v1/channels/${one}`, { as: reader })).body).toMatchObject({ name: "releases-here" });
    expect((await world.call(`/api/v1/channels/${two}`, { as: reader })).body).toMatchObject({
      name: "releases-here-(2)",
    });
  });

  test("between a few people is theirs; one that they have already is found", async () => {
    const [one, two] = [newId(), newId()];
    const [first] = await world.post([channel(one, { type: "direct", name: "" })]);
    expect(first).toMatchObject({ state: "created", target_id: one });
    const opened = await world.call<ChannelView>("/api/v1/channels/create", {
      as: ada,
      json: { type: "dm", user_ids: [ben.id] },
    });
    expect(opened.body.id).toBe(one);
    const [second] = await world.post([channel(two, { type: "direct", name: "" })]);
    expect(second).toMatchObject({ state: "matched", target_id: one });
    const [alone] = await world.post([
      channel(newId(), { type: "direct", name: "", members: [{ person_id: "owui-ada" }, { person_id: "gone" }] }),
    ]);
    expect(alone).toMatchObject({ state: "changed" });
  });
});

describe("messages", () => {
  test("arrive in order, with authors, threads, quotes, reactions, pins and files", async () => {
    const [id, head, reply, quote, lost, file] = [newId(), newId(), newId(), newId(), newId(), newId()];
    await world.putFile(file, "x", { person_id: "owui-ada", name: "a.txt" });
    const results = await world.post([
      channel(id),
      message(head, id, {
        content: "Look, <@U:owui-ben|Ben>",
        reactions: [
          { name: "👍", person_id: "owui-ben", created_at: 1_600_000_003_000 },
          { name: "👍", person_id: "gone" },
        ],
        pinned_at: 1_600_000_009_000,
        pinned_by: "owui-ben",
        file_ids: [file],
        meta: { note: 1 },
      }),
      message(reply, id, { person_id: "owui-ben", parent_id: head, created_at: 1_600_000_004_000 }),
      message(newId(), id, { parent_id: reply, content: "Deeper", created_at: 1_600_000_005_000 }),
      message(quote, id, {
        reply_to_id: head,
        model: { id: "gull", name: "Gull" },
        created_at: 1_600_000_006_000,
        edited_at: 1_600_000_007_000,
      }),
      message(lost, id, { person_id: "gone", parent_id: "gone", created_at: 1_600_000_008_000 }),
      {
        kind: "channel_reading",
        id,
        channel_id: id,
        people: [{ person_id: "owui-ben", last_read_at: 1_600_000_004_500 }],
      },
    ]);
    expect(results.map(({ state }) => state)).toEqual([
      "created",
      "created",
      "created",
      "created",
      "created",
      "changed",
      "created",
    ]);
    const shown = await history(id);
    expect(shown.map((each) => [each.id, each.seq])).toEqual([
      [head, 1],
      [quote, 4],
      [lost, 5],
    ]);
    expect(shown[0]).toMatchObject({
      content: `Look, <@U:${ben.id}|Ben>`,
      user: { id: ada.id },
      files: [{ id: file, name: "a.txt" }],
      reactions: [{ name: "👍", count: 1, users: [{ id: ben.id }] }],
      pinned_at: 1_600_000_009_000,
      pinned_by: ben.id,
      reply_count: 2,
      latest_reply_at: 1_600_000_005_000,
      created_at: 1_600_000_002_000,
      meta: { note: 1 },
    });
    expect(shown[1]).toMatchObject({
      reply_to_message: { id: head },
      user: { id: "gull", name: "Gull", role: "assistant" },
      edited_at: 1_600_000_007_000,
    });
    expect(shown[2]).toMatchObject({ user: { id: null, name: "Former member" }, parent_id: null });
    expect((await history(id, ada, head)).map(({ content }) => content)).toEqual([shown[0]!.content, "Ahoy", "Deeper"]);
    const read = await world.db.all(
      sql`SELECT user_id, last_read FROM channel_members WHERE channel_id = ${id} ORDER BY last_read`,
    );
    expect(read).toEqual([
      { user_id: ben.id, last_read: 2 },
      { user_id: ada.id, last_read: 5 },
    ]);
    const mentions = await world.db.all(sql`SELECT user_id FROM channel_mentions WHERE channel_id = ${id}`);
    expect(mentions).toEqual([{ user_id: ben.id }]);
    const again = await world.post([message(head, id)]);
    expect(again[0]).toMatchObject({ earlier: true });
    expect(await history(id)).toHaveLength(3);
  });
});

describe("a webhook", () => {
  test("goes on posting at its old address, and its secret is nowhere else", async () => {
    const [id, hook, post] = [newId(), newId(), newId()];
    const token = `secret-${newId()}`;
    const results = await world.post([
      channel(id),
      {
        kind: "channel_webhook",
        id: hook,
        channel_id: id,
        person_id: "owui-ada",
        name: "Build\nbot",
        profile_image_url: "/static/x.png",
        token,
      },
      message(post, id, { person_id: "owui-ada", webhook_id: hook, content: "Old post" }),
    ]);
    expect(results.map(({ state }) => state)).toEqual(["created", "created", "created"]);
    const posted = await world.call(`/api/v1/channels/webhooks/${hook}/${token}`, { json: { content: "New post" } });
    expect(posted.status).toBe(200);
    const shown = await history(id);
    expect(shown.map(({ content, user }: ChannelMessage) => [content, user.name])).toEqual([
      ["Old post", "Build bot"],
      ["New post", "Build bot"],
    ]);
    const told = JSON.stringify([
      results,
      await world.db.all(sql`SELECT * FROM import_items`),
      await world.db.all(sql`SELECT * FROM audit_events`),
      world.logged,
    ]);
    expect(told).not.toContain(token);
  });
});
