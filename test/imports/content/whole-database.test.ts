import { rmSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSqlite } from "../../../scripts/import/sqlite-source.ts";
import { openUploads } from "../../../scripts/import/uploads.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { runAllJobs } from "../../documents/files/run-jobs.ts";
import { makeOpenWebuiData } from "../../fixtures/open-webui/make-data.ts";
import type { Person } from "../../world.ts";
import { createImportWorld, type ImportWorld } from "./import-world.ts";
import { memoryReading } from "./memory-source.ts";

const json = JSON.stringify;

const chatRow = (more: Record<string, unknown> = {}) => ({
  id: "c1",
  user_id: "ada",
  title: "Ships",
  chat: json({ models: ["gull"], history: { currentId: null, messages: {} } }),
  created_at: 1_600_000_000,
  updated_at: 1_600_000_100,
  share_id: null,
  archived: 0,
  pinned: 1,
  meta: json({ tags: ["deep_sea"], icon: 1 }),
  folder_id: null,
  ...more,
});

describe("a whole database", () => {
  let world: ImportWorld;
  let ada: Person;
  beforeAll(async () => {
    world = await createImportWorld();
    ada = await world.person();
    await world.know("ada", ada);
  });
  afterAll(() => world.close());

  test("arrives through the API, and a second run brings nothing twice", async () => {
    const reading = memoryReading(
      {
        file: [
          {
            id: "f-1",
            user_id: "ada",
            filename: "a.md",
            path: "uploads/a.md",
            meta: json({ name: "a.md" }),
            created_at: 1_600_000_000,
          },
        ],
        knowledge: [
          {
            id: "k-1",
            user_id: "ada",
            name: "Rules",
            description: "",
            data: json({ file_ids: ["f-1"] }),
            created_at: 5,
            updated_at: 6,
          },
        ],
        note: [
          {
            id: "n-1",
            user_id: "ada",
            title: "My/note",
            data: json({ content: { md: "# Hello" } }),
            created_at: 1_600_000_000_000_000_000,
            updated_at: 1,
          },
        ],
        folder: [{ id: "d-1", user_id: "ada", parent_id: null, name: "Deck", created_at: 5, updated_at: 6 }],
        chat: [
          chatRow({
            id: "c-1",
            folder_id: "d-1",
            chat: json({ history: { currentId: "a", messages: { a: { role: "assistant", content: "Hi" } } } }),
          }),
        ],
        memory: [
          {
            id: "m-1",
            user_id: "ada",
            content: "Likes tea",
            created_at: 5,
            updated_at: 6,
            type: "context",
            path: null,
          },
        ],
        channel: [
          {
            id: "ch-1",
            user_id: "ada",
            type: null,
            name: "deck",
            access_control: null,
            created_at: 1_600_000_000_123_456_000,
            updated_at: 1_600_000_000_123_456_000,
          },
        ],
        message: [
          {
            id: "p-2",
            user_id: "ada",
            channel_id: "ch-1",
            parent_id: "p-9",
            content: "Reply",
            created_at: 1_600_000_002_000_000_000,
            updated_at: 1_600_000_002_000_000_000,
          },
          {
            id: "p-9",
            user_id: "ada",
            channel_id: "ch-1",
            content: "First",
            data: json({ files: [{ id: "f-1" }] }),
            created_at: 1_600_000_001_000_000_000,
            updated_at: 1_600_000_001_000_000_000,
          },
        ],
        message_reaction: [
          { id: "r", user_id: "ada", message_id: "p-9", name: "+1", created_at: 1_600_000_003_000_000_000 },
        ],
        channel_webhook: [
          { id: "w-1", channel_id: "ch-1", user_id: "ada", name: "Bot", token: "tok", created_at: 5, updated_at: 5 },
        ],
      },
      { "uploads/a.md": "# Rules" },
    );
    const results = await world.bring(reading);
    expect(results.filter(({ state }) => state !== "created")).toEqual([]);
    await runAllJobs(world);
    const chat = (await world.call<ChatResponse>("/api/v1/chats/c-1", { as: ada })).body;
    expect(chat).toMatchObject({ folder_id: "d-1", title: "Ships", chat: { messages: [{ content: "Hi" }] } });
    const bases = await world.db.all(
      sql`SELECT k.name, f.filename FROM knowledge_files kf JOIN knowledge k ON k.id = kf.knowledge_id JOIN files f ON f.id = kf.file_id ORDER BY k.name`,
    );
    expect(bases).toEqual([
      { name: "Notes", filename: "My-note.md" },
      { name: "Rules", filename: "a.md" },
    ]);
    const posts = await world.db.all(sql`SELECT id, seq, parent_id, created_at FROM channel_messages ORDER BY seq`);
    expect(posts).toEqual([
      { id: "p-9", seq: 1, parent_id: null, created_at: 1_600_000_001_000 },
      { id: "p-2", seq: 2, parent_id: "p-9", created_at: 1_600_000_002_000 },
    ]);
    const count = () =>
      world.db
        .all(sql`SELECT (SELECT count(*) FROM chats) AS chats, (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM files) AS files,
      (SELECT count(*) FROM knowledge) AS bases, (SELECT count(*) FROM folders) AS folders, (SELECT count(*) FROM memories) AS memories, (SELECT count(*) FROM channel_messages) AS posts`);
    const before = await count();
    const again = await world.bring(reading);
    expect(again.every(({ earlier }) => earlier)).toBe(true);
    expect(await count()).toEqual(before);
  });
});

describe("a data folder of Open WebUI 0.12.4", () => {
  const folder = makeOpenWebuiData();
  const source = openSqlite(path.join(folder, "webui.db"));
  const people = {
    ada: "c2da051e-507f-41ad-b30a-323ca8489cd3",
    bob: "0456fb6c-fecb-44b6-beef-a0a2da3cb2e5",
    cho: "da58c28d-a242-44a1-85ec-05c9e6baf925",
  };
  let world: ImportWorld;
  const here = {} as Record<keyof typeof people, Person>;
  beforeAll(async () => {
    world = await createImportWorld();
    for (const [name, id] of Object.entries(people) as [keyof typeof people, string][]) {
      here[name] = await world.person({ name });
      await world.know(id, here[name]);
    }
  });
  afterAll(async () => {
    await world.close();
    await source.close();
    rmSync(folder, { recursive: true });
  });

  test("arrives with all that people have made", async () => {
    const uploads = openUploads(path.join(folder, "uploads"), {});
    const results = await world.bring({ source, uploads });
    await runAllJobs(world);
    const counts = Object.fromEntries(
      [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
    );
    expect(counts).toEqual({
      file: 5,
      knowledge: 3,
      knowledge_directory: 1,
      knowledge_file: 4,
      folder: 2,
      chat: 3,
      chat_share: 1,
      memory: 1,
      channel: 3,
      channel_webhook: 1,
      channel_message: 6,
      channel_reading: 3,
    });
    expect(results.filter(({ state }) => state === "failed" || state === "left_out")).toEqual([]);

    const chat = (
      await world.call<ChatResponse>("/api/v1/chats/791eebea-915a-4f87-a6ee-b717a7ed5788", { as: here.bob })
    ).body;
    expect(chat.title).toBe("What is the capital of France?");
    const messages = Object.values(chat.chat.history.messages);
    expect(messages).toHaveLength(5);
    expect(messages.find(({ model, content }) => model === "stub" && content !== "")).toMatchObject({
      content: "Paris, of course.",
      reasoning: "I think about it.",
    });
    expect(messages.find(({ error }) => error !== undefined)).toMatchObject({
      error: { message: "The model is away" },
    });
    expect(messages.find(({ parentId }) => parentId === null)!.childrenIds).toHaveLength(2);
    expect(
      (await world.call("/api/v1/chats/share/7b60725b-5a0b-451a-975d-d6306055ee7d", { as: here.bob })).status,
    ).toBe(200);

    const csv = "/api/v1/files/123a2866-f06c-4cac-afe6-42426e883d82";
    expect((await world.call(csv, { as: here.bob })).body).toMatchObject({
      filename: "prices ü.csv",
      data: { status: "completed" },
    });
    const links = await world.db
      .all(sql`SELECT k.name, f.filename, d.name AS directory FROM knowledge_files kf JOIN knowledge k ON k.id = kf.knowledge_id
      JOIN files f ON f.id = kf.file_id LEFT JOIN knowledge_directories d ON d.id = kf.directory_id ORDER BY k.name, f.filename`);
    expect(links).toEqual([
      { name: "Handbook", filename: "handbook.txt", directory: null },
      { name: "Harbour rules", filename: "harbour.md", directory: null },
      { name: "Harbour rules", filename: "prices ü.csv", directory: "tables" },
      { name: "Notes", filename: "Packing list.md", directory: null },
    ]);

    const kinds = await world.db.all(sql`SELECT kind, name FROM channels ORDER BY kind`);
    expect(kinds).toEqual([
      { kind: "direct", name: "" },
      { kind: "private", name: "officers" },
      { kind: "public", name: "bridge" },
    ]);
    const posts = await world.db
      .all(sql`SELECT m.seq, m.content, p.seq AS parent, q.seq AS quoted, m.pinned_at IS NOT NULL AS pinned
      FROM channel_messages m JOIN channels c ON c.id = m.channel_id LEFT JOIN channel_messages p ON p.id = m.parent_id
      LEFT JOIN channel_messages q ON q.id = m.reply_to_id WHERE c.name = 'bridge' ORDER BY m.seq`);
    expect(posts).toEqual([
      { seq: 1, content: `Welcome aboard <@U:${here.bob.id}|Bob>`, parent: null, quoted: null, pinned: 1 },
      { seq: 2, content: "Thank you!", parent: 1, quoted: null, pinned: 0 },
      { seq: 3, content: "See the plan", parent: null, quoted: 1, pinned: 0 },
      { seq: 4, content: "Tide at 6:12", parent: null, quoted: null, pinned: 0 },
    ]);
    const address =
      "/api/v1/channels/webhooks/fc655924-b5dc-4f34-9f4a-db3a42c2e0b1/-SOGLoV9IeSx3qLjbIRVuNFUwG0v03IuM6jH-s8Tu_o";
    expect((await world.call(address, { json: { content: "Tide at 7:01" } })).status).toBe(200);

    const again = await world.bring({ source, uploads });
    expect(again.filter(({ earlier }) => !earlier)).toEqual([]);
  });
});
