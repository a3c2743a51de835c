import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { runAllJobs } from "../../documents/files/run-jobs.ts";
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
    expect(results.filter((each) => !("state" in each) || each.state !== "created")).toEqual([]);
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
    expect(again.every((each) => "earlier" in each && each.earlier)).toBe(true);
    expect(await count()).toEqual(before);
  });
});
