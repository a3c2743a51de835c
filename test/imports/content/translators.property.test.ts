import fc from "fast-check";
import { expect, test } from "vitest";
import { contentReaders } from "../../../src/shared/moving-in/open-webui/content-readers.ts";
import { readMessageTree } from "../../../src/shared/moving-in/open-webui/message-tree.ts";
import { memoryReading } from "./memory-source.ts";

const columns = {
  file: ["user_id", "filename", "path", "meta", "data", "created_at"],
  knowledge: ["user_id", "name", "description", "meta", "data", "access_control", "created_at"],
  knowledge_directory: ["knowledge_id", "parent_id", "name", "created_at"],
  knowledge_file: ["knowledge_id", "file_id", "directory_id", "created_at"],
  note: ["user_id", "title", "data", "created_at"],
  folder: ["user_id", "parent_id", "name", "meta", "data", "is_expanded", "created_at"],
  tag: ["user_id", "name"],
  chat: [
    "user_id",
    "title",
    "chat",
    "meta",
    "variables",
    "folder_id",
    "pinned",
    "created_at",
    "updated_at",
    "current_message_id",
  ],
  chat_message: [
    "chat_id",
    "role",
    "parent_id",
    "content",
    "output",
    "files",
    "sources",
    "usage",
    "error",
    "done",
    "created_at",
    "updated_at",
  ],
  shared_chat: ["chat_id", "title", "chat", "created_at"],
  feedback: ["user_id", "type", "data", "meta", "snapshot", "created_at", "updated_at"],
  memory: ["user_id", "content", "created_at"],
  channel: [
    "user_id",
    "type",
    "name",
    "description",
    "is_private",
    "data",
    "meta",
    "access_control",
    "created_at",
    "deleted_at",
  ],
  channel_member: ["channel_id", "user_id", "role", "is_active", "left_at", "last_read_at"],
  channel_webhook: ["channel_id", "user_id", "name", "token", "profile_image_url", "created_at"],
  message: [
    "user_id",
    "channel_id",
    "parent_id",
    "reply_to_id",
    "content",
    "data",
    "meta",
    "is_pinned",
    "created_at",
    "updated_at",
  ],
  message_reaction: ["message_id", "user_id", "name", "created_at"],
} as const;

const id = fc.constantFrom("a", "b", "c", "shared-a");
const anything = fc.oneof(
  id,
  fc.jsonValue({ maxDepth: 4 }),
  fc.json({ maxDepth: 6 }),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.constant(null),
  fc.constantFrom('{"__proto__":{"x":1}}', '{"toString":1,"valueOf":2}', "\ud800", "{", "1e400"),
);
const rows = (names: readonly string[]) =>
  fc.array(fc.record({ id: fc.oneof(id, anything), ...Object.fromEntries(names.map((name) => [name, anything])) }), {
    maxLength: 4,
  });
const tables = fc.record(Object.fromEntries(Object.entries(columns).map(([table, names]) => [table, rows(names)])));

test("translators never throw, whatever stands in any column", async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (given) => {
      for (const reader of contentReaders)
        for await (const translated of reader.read(memoryReading(given))) {
          // What is sent is JSON.
          expect(() => JSON.stringify(translated)).not.toThrow();
        }
    }),
    { numRuns: 300 },
  );
});

const messageId = fc.constantFrom("a", "b", "c", "d", "e", "x y", "__proto__", "");
const message = fc.record(
  {
    parentId: fc.oneof(messageId, fc.constant(null), fc.integer()),
    childrenIds: fc.oneof(fc.array(messageId), fc.string()),
    role: anything,
    content: anything,
    output: anything,
    timestamp: anything,
    files: anything,
  },
  { requiredKeys: [] },
);

test("every tree is a forest with all messages, parents first", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(messageId, message), { selector: ([key]) => key }),
      fc.array(
        fc.record({
          id: messageId.map((key) => `chat-${key}`),
          parent_id: messageId,
          content: anything,
          role: anything,
          done: anything,
        }),
        { maxLength: 4 },
      ),
      (entries, given) => {
        const document = { history: { messages: Object.fromEntries(entries) } };
        const tree = readMessageTree("chat", document, given);
        const all = new Set([...entries.map(([key]) => key), ...given.map((row) => row.id.slice("chat-".length))]);
        expect(tree.messages).toHaveLength(all.size);
        const seen = new Set<string>();
        for (const { id: own, message: each } of tree.messages) {
          const { parentId } = each as { parentId: string | null };
          expect(parentId === null || seen.has(parentId)).toBe(true);
          expect(own).toMatch(/^[\x21-\x7e]{1,100}$/);
          expect(typeof each["role"]).toBe("string");
          expect(typeof each["content"] === "string" || Array.isArray(each["content"])).toBe(true);
          seen.add(own);
        }
        expect(seen.size).toBe(all.size);
      },
    ),
    { numRuns: 500 },
  );
});
