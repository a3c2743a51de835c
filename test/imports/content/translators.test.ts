import { describe, expect, test } from "vitest";
import type { ImportedRecord, Translated } from "../../../src/shared/moving-in/row-source.ts";
import { memoryReading, memoryUploads, memorySource } from "./memory-source.ts";
import { readAll, recordsOf } from "./read-all.ts";

const messagesOf = (record: ImportedRecord | undefined) =>
  (record!["chat"] as { history: { messages: Record<string, Record<string, unknown>> } }).history.messages;

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

describe("chats", () => {
  test("of 0.6: all is in the document, and a link is a row of its own", async () => {
    const messages = {
      q: {
        id: "q",
        parentId: null,
        childrenIds: ["a"],
        role: "user",
        content: "Where?",
        timestamp: 1_600_000_001,
        files: [{ type: "file", id: "f1", file: { id: "f1", data: { content: "long" } } }],
      },
      a: {
        id: "a",
        parentId: "q",
        childrenIds: [],
        role: "assistant",
        content: "There.",
        model: "gull",
        timestamp: 1_600_000_002,
        annotation: { rating: -1 },
        info: { usage: { total_tokens: 3 } },
      },
    };
    const chat = json({ models: ["gull"], params: {}, system: "S", history: { currentId: "a", messages }, tags: [] });
    const all = await readAll(
      "chats",
      memoryReading({
        chat: [chatRow({ chat, share_id: "s1" }), { ...chatRow({ id: "s1", chat }), user_id: "shared-c1" }],
        tag: [{ id: "deep_sea", user_id: "ada", name: "Deep sea" }],
      }),
    );
    const [record, share] = recordsOf(all);
    expect(record).toMatchObject({
      kind: "chat",
      id: "c1",
      person_id: "ada",
      title: "Ships",
      tags: ["Deep sea"],
      meta: { icon: 1 },
      pinned: true,
      archived: false,
      created_at: 1_600_000_000,
      notes: [],
    });
    expect(record!["chat"]).toMatchObject({ models: ["gull"], system: "S", history: { currentId: "a" } });
    expect(messagesOf(record)["a"]).toMatchObject({
      parentId: "q",
      annotation: { rating: -1 },
      usage: { total_tokens: 3 },
      done: true,
    });
    expect(json(messagesOf(record)["q"])).not.toContain("long");
    expect(share).toMatchObject({
      kind: "chat_share",
      id: "s1",
      chat_id: "c1",
      access_grants: [{ principal_id: "*", permission: "read" }],
    });
  });

  test("of 0.12: rows count, the document fills in what they lack, and nothing is dropped", async () => {
    const inDocument = {
      q: { id: "q", parentId: null, role: "user", content: "Old text", childrenIds: ["a", "n"] },
      a: { id: "a", parentId: "q", role: "assistant", content: "There.", annotation: { rating: 1 } },
      n: { id: "n", parentId: "q", role: "assistant", content: "Newer", updated_at: 1_600_000_900 },
      only: { id: "only", parentId: "a", role: "user", content: "In the document" },
    };
    const row = (id: string, more: Record<string, unknown>) => ({
      id: `c1-${id}`,
      chat_id: "c1",
      user_id: "ada",
      role: "assistant",
      parent_id: "q",
      model_id: "gull",
      done: 1,
      created_at: 1_600_000_001,
      updated_at: 1_600_000_002,
      ...more,
    });
    const all = await readAll(
      "chats",
      memoryReading({
        chat: [chatRow({ chat: json({ history: { messages: inDocument } }), current_message_id: "row" })],
        chat_message: [
          row("q", { role: "user", parent_id: null, model_id: null, content: json("New text") }),
          row("a", { content: json("") }),
          row("n", { content: json("Older") }),
          row("row", {
            parent_id: "a",
            content: json("In a row"),
            usage: json({ total_tokens: 5 }),
            sources: json([{ source: { name: "x" } }]),
            status_history: json([{ description: "s" }]),
            done: 0,
          }),
        ],
        shared_chat: [
          {
            id: "s9",
            chat_id: "c1",
            user_id: "ada",
            title: "T",
            chat: json({ history: { messages: inDocument, currentId: "a" } }),
            created_at: 5,
          },
        ],
        access_grant: [
          {
            id: "g",
            resource_type: "shared_chat",
            resource_id: "c1",
            principal_type: "group",
            principal_id: "g1",
            permission: "read",
          },
        ],
      }),
    );
    const [record, share] = recordsOf(all);
    const messages = messagesOf(record);
    expect(Object.keys(messages).sort()).toEqual(["a", "n", "only", "q", "row"]);
    expect(messages["q"]!["content"]).toBe("New text");
    expect(messages["a"]).toMatchObject({ content: "There.", model: "gull", annotation: { rating: 1 } });
    expect(messages["n"]!["content"]).toBe("Newer");
    expect(messages["row"]).toMatchObject({
      content: "In a row",
      usage: { total_tokens: 5 },
      sources: [{ source: { name: "x" } }],
      statusHistory: [{ description: "s" }],
      state: "interrupted",
    });
    expect(record!["notes"]).toEqual(["2 messages were in two versions: the newer one was brought"]);
    expect((record!["chat"] as { history: { currentId: string } }).history.currentId).toBe("row");
    expect(share).toMatchObject({
      id: "s9",
      chat_id: "c1",
      access_grants: [{ principal_type: "group", principal_id: "g1", permission: "read" }],
    });
  });

  test("with an answer that failed say so, and how long a model has thought", async () => {
    const answer = (more: object) => ({ parentId: null, childrenIds: [], role: "assistant", timestamp: 1, ...more });
    const messages = {
      failed: answer({ id: "failed", content: "", error: { content: "The model is gone" } }),
      fine: answer({
        id: "fine",
        content: '<details type="reasoning" done="true" duration="7">\n> Hm\n</details>\nYes',
        error: null,
      }),
    };
    const chat = json({ models: ["gull"], history: { currentId: "fine", messages } });
    const [record] = recordsOf(await readAll("chats", memoryReading({ chat: [chatRow({ chat })] })));
    expect(messagesOf(record)).toMatchObject({
      failed: { state: "error", done: true, error: { content: "The model is gone" } },
      fine: { content: "Yes", reasoning: "Hm", reasoning_duration: 7 },
    });
    expect(messagesOf(record)["fine"]!["state"]).toBeUndefined();
  });

  test("with large pictures in a message bring these as files", async () => {
    const url = (size: number) => `data:image/png;base64,${"A".repeat(size)}`;
    const files = [
      { type: "image", url: url(800_000) },
      { type: "image", url: url(400_000) },
      { type: "file", id: "f" },
    ];
    const small = [{ type: "image", url: url(400) }];
    const messages = {
      m: { role: "user", content: "See", files },
      n: { role: "user", content: "And", files: small, parentId: "m" },
    };
    const all = await readAll("chats", memoryReading({ chat: [chatRow({ chat: json({ history: { messages } }) })] }));
    const [first, second] = all as Extract<Translated, { file: unknown }>[];
    expect(first!.file).toEqual({
      id: "picture-1-c1",
      person_id: "ada",
      name: "picture.png",
      content_type: "image/png",
      created_at: 1_600_000_000,
    });
    expect((await first!.open())!.size).toBe(600_000);
    expect(second!.file.id).toBe("picture-2-c1");
    const [record] = recordsOf(all);
    expect(messagesOf(record)["m"]!["files"]).toEqual([
      { type: "image", id: "picture-1-c1", url: "/api/v1/files/picture-1-c1/content" },
      { type: "image", id: "picture-2-c1", url: "/api/v1/files/picture-2-c1/content" },
      { type: "file", id: "f" },
    ]);
    expect(messagesOf(record)["n"]!["files"]).toEqual(small);
  });

  test("that are too large for one request come in parts, parents first", async () => {
    const messages = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        `m${at}`,
        { role: "user", content: "x".repeat(1_500_000), parentId: at === 8 ? null : `m${at + 1}` },
      ]),
    );
    const records = recordsOf(
      await readAll(
        "chats",
        memoryReading({ chat: [chatRow({ chat: json({ history: { currentId: "m0", messages } }) })] }),
      ),
    );
    expect(records.map(({ kind, id }) => [kind, id])).toEqual([
      ["chat", "c1"],
      ...[1, 2, 3, 4].map((at) => ["chat_messages", `c1#${at}`]),
    ]);
    const order = records.flatMap((record) =>
      Object.keys(record.kind === "chat" ? messagesOf(record) : (record["messages"] as object)),
    );
    expect(order).toEqual(["m8", "m7", "m6", "m5", "m4", "m3", "m2", "m1", "m0"]);
    expect(records.map((record) => record["current_id"])).toEqual([undefined, undefined, undefined, undefined, "m0"]);
    for (const record of records) expect(json(record).length).toBeLessThan(10_000_000);
  });

  test("in a folder of somebody else are in none, and unreadable ones are named", async () => {
    const all = await readAll(
      "chats",
      memoryReading({
        folder: [{ id: "f", user_id: "ben", name: "Theirs" }],
        chat: [
          chatRow({ folder_id: "f" }),
          chatRow({ id: "c2", chat: "{broken" }),
          chatRow({ id: "c3", meta: json({ internal: true }) }),
        ],
      }),
    );
    expect(recordsOf(all)[0]).toMatchObject({
      folder_id: null,
      notes: ["Its folder does not exist, or belongs to somebody else: it is in no folder"],
    });
    expect(all.flatMap((each) => ("leftOut" in each ? [each.leftOut.id] : []))).toEqual(["c2", "c3"]);
  });
});

describe("files", () => {
  test("are opened by their path; where the bytes are gone the text is brought", async () => {
    const uploads = memoryUploads({ "/app/backend/data/uploads/f1_a.pdf": "PDF" });
    const source = memorySource({
      file: [
        {
          id: "f1",
          user_id: "ada",
          filename: "f1_a.pdf",
          path: "/app/backend/data/uploads/f1_a.pdf",
          meta: json({ name: "a.pdf", content_type: "application/pdf" }),
          created_at: 1_600_000_000,
        },
        {
          id: "f2",
          user_id: "ada",
          filename: "b.docx",
          path: "s3://bucket/f2_b.docx",
          data: json({ content: "The text" }),
          meta: json({ name: "b.docx", content_type: ["x"] }),
          created_at: 5,
        },
        { id: "f3", user_id: "ada", filename: "../../etc/passwd", path: "../../etc/passwd", meta: null, created_at: 5 },
      ],
    });
    const [first, second, third] = await readAll("files", { source, uploads });
    expect(first).toMatchObject({
      file: { id: "f1", person_id: "ada", name: "a.pdf", content_type: "application/pdf", created_at: 1_600_000_000 },
    });
    const opened = await (first as Extract<Translated, { file: unknown }>).open();
    expect(await new Response(opened!.body).text()).toBe("PDF");
    expect(second).toMatchObject({
      file: {
        name: "b.docx.txt",
        note: "Its bytes were not among the uploads: this is the text that was read from it",
      },
    });
    const text = await (second as Extract<Translated, { file: unknown }>).open();
    expect([text!.size, await new Response(text!.body).text()]).toEqual([8, "The text"]);
    expect(third).toEqual({ leftOut: { kind: "file", id: "f3", reason: "Its bytes are not among the uploads" } });
  });
});

describe("knowledge", () => {
  test("of 0.6 has its files in the row, of 0.12 in tables", async () => {
    const row = { id: "k", user_id: "ada", name: "N", description: "D", created_at: 5, updated_at: 6 };
    const old = recordsOf(
      await readAll(
        "knowledge",
        memoryReading({ knowledge: [{ ...row, data: json({ file_ids: ["f1", "f2", "f1"] }), access_control: null }] }),
      ),
    );
    expect(old.map(({ kind, id }) => [kind, id])).toEqual([
      ["knowledge", "k"],
      ["knowledge_file", "k/f1"],
      ["knowledge_file", "k/f2"],
    ]);
    expect(old[0]).toMatchObject({
      access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }],
    });
    const now = recordsOf(
      await readAll(
        "knowledge",
        memoryReading({
          knowledge: [row],
          knowledge_directory: [
            { id: "a", knowledge_id: "k", parent_id: "b", name: "A" },
            { id: "b", knowledge_id: "k", parent_id: null, name: "B" },
          ],
          knowledge_file: [{ id: "l", knowledge_id: "k", file_id: "f1", directory_id: "a", created_at: 7 }],
          access_grant: [
            {
              id: "g",
              resource_type: "knowledge",
              resource_id: "k",
              principal_type: "user",
              principal_id: "ben",
              permission: "write",
            },
          ],
        }),
      ),
    );
    expect(now.map(({ kind, id }) => [kind, id])).toEqual([
      ["knowledge", "k"],
      ["knowledge_directory", "b"],
      ["knowledge_directory", "a"],
      ["knowledge_file", "l"],
    ]);
    expect(now[3]).toMatchObject({ file_id: "f1", directory_id: "a", created_at: 7 });
  });
});
