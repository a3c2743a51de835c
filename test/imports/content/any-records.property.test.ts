import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordResult } from "../../../src/imports/schema.ts";
import { createImportWorld, type ImportWorld } from "./import-world.ts";

let world: ImportWorld;
beforeAll(async () => {
  world = await createImportWorld();
  await world.know("ada", await world.person());
});
afterAll(() => world.close());

const id = fc.constantFrom("a", "b", "c", "../x", "a b", "*");
const time = fc.oneof(
  { weight: 8, arbitrary: fc.maxSafeNat() },
  { weight: 1, arbitrary: fc.double() },
  fc.constant(null),
);
const object = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), fc.jsonValue({ maxDepth: 3 })),
  },
  fc.jsonValue(),
);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom("", "\0", "\ud800", "'; DROP TABLE chats; --", "x".repeat(5000), "<@U:ada|Ada>"),
);
const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.constant(null));
const grants = fc.array(
  fc.record({
    principal_type: fc.constantFrom("user", "group", "anyone"),
    principal_id: fc.constantFrom("*", "ada", "x"),
    permission: fc.constantFrom("read", "write"),
  }),
  { maxLength: 3 },
);
const messages = fc.dictionary(
  id,
  fc.oneof(
    anything,
    fc.record(
      {
        role: text,
        content: anything,
        parentId: fc.oneof(id, anything),
        timestamp: time,
        files: anything,
        model: text,
        error: anything,
        usage: anything,
      },
      { requiredKeys: [] },
    ),
  ),
);
const document = fc.record(
  { history: fc.record({ messages, currentId: anything }), models: anything, params: anything, tags: anything },
  { requiredKeys: ["history"] },
);
const common = {
  id,
  person_id: fc.constantFrom("ada", "nobody"),
  name: text,
  title: text,
  notes: fc.constantFrom([], ["Said before"]),
  created_at: time,
  updated_at: time,
  access_grants: grants,
};
const shapes: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
  knowledge: { description: text, meta: object },
  knowledge_directory: { knowledge_id: id, parent_id: id },
  knowledge_file: { knowledge_id: id, file_id: id, directory_id: id },
  folder: { parent_id: id, instructions: text, model_ids: fc.array(text), meta: object, files: fc.constant([]) },
  chat: { chat: document, folder_id: id, tags: fc.array(text), meta: object, variables: object },
  chat_messages: { chat_id: id, messages, current_id: text },
  chat_share: { chat_id: id, chat: document },
  feedback: {
    type: text,
    data: fc.record(
      { rating: fc.oneof(fc.constantFrom(1, -1, "1"), anything), comment: text, model_id: text, reason: anything },
      { requiredKeys: [] },
    ),
    meta: object,
    chat_id: id,
    message_id: id,
  },
  memory: { content: text },
  channel: {
    type: fc.constantFrom("public", "private", "direct"),
    description: text,
    members: fc.constant([{ person_id: "ada" }]),
    meta: object,
  },
  channel_webhook: { channel_id: id, token: text, profile_image_url: text },
  channel_message: {
    channel_id: id,
    content: text,
    parent_id: id,
    reply_to_id: id,
    model: fc.option(fc.record({ id: text, name: text })),
    reactions: fc.array(fc.record({ name: text, person_id: fc.constant("ada") })),
    meta: object,
    pinned_at: time,
  },
  channel_reading: {
    channel_id: id,
    people: fc.array(fc.record({ person_id: fc.constant("ada"), last_read_at: time })),
  },
};
const record = fc.oneof(
  ...Object.entries(shapes).map(([kind, fields]) => fc.record({ kind: fc.constant(kind), ...common, ...fields })),
);

test("whatever the records are, each is answered, and nothing breaks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 12 }), async (records) => {
      const results = await world.post(records);
      expect(results).toHaveLength(records.length);
      const isSound = ({ state, target_id: target, notes }: RecordResult) =>
        state === "failed" || state === "left_out"
          ? target === null && notes.length === 1
          : target !== null && /^[\w-]{1,100}$/.test(target);
      expect(results.filter((result) => !isSound(result))).toEqual([]);
    }),
    { numRuns: 200 },
  );
  const [row] = await world.db.all<{ broken: number; states: number }>(sql`SELECT
    (SELECT count(*) FROM messages m WHERE m.parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM messages p WHERE p.chat_id = m.chat_id AND p.id = m.parent_id)) AS broken,
    (SELECT count(DISTINCT kind) FROM import_items WHERE state IN ('created', 'changed')) AS states`);
  expect(row!.broken).toBe(0);
  // Of most kinds some were good.
  expect(row!.states).toBeGreaterThan(7);
}, 120_000);
