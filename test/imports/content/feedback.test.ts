import { afterEach, beforeEach, expect, test } from "vitest";
import type { FeedbackPage, FeedbackView } from "../../../src/feedback/schema.ts";
import type { Person } from "../../world.ts";
import { createImportWorld, type ImportWorld } from "./import-world.ts";
import { memoryReading } from "./memory-source.ts";
import { readAll, recordsOf } from "./read-all.ts";

const json = JSON.stringify;
let world: ImportWorld;
let ada: Person;
let bo: Person;
beforeEach(async () => {
  world = await createImportWorld();
  [ada, bo] = [await world.person({ name: "Ada" }), await world.person({ name: "Bo" })];
  await world.know("ada", ada);
  await world.know("bo", bo);
});
afterEach(() => world.close());

const annotation = {
  rating: -1,
  reason: "not_factual",
  comment: "High water is at six",
  details: { rating: 3 },
  tags: ["tides"],
};
const chatRow = (id: string, userId = "ada") => ({
  id,
  user_id: userId,
  title: "Tides",
  chat: json({
    history: {
      currentId: "a",
      messages: {
        q: { id: "q", role: "user", content: "When?", childrenIds: ["a"] },
        a: {
          id: "a",
          role: "assistant",
          content: "At noon.",
          parentId: "q",
          model: "tide",
          annotation,
          feedbackId: "f-1",
        },
      },
    },
  }),
  created_at: 1_600_000_000,
  updated_at: 1_600_000_100,
});
/** As Open WebUI's page stores it. */
const feedbackRow = (id: string, chatId: string | null, more: Record<string, unknown> = {}) => ({
  id,
  user_id: "ada",
  version: 0,
  type: "rating",
  data: json({ ...annotation, model_id: "tide", sibling_model_ids: ["gull"] }),
  meta: json({
    arena: false,
    model_id: "tide",
    message_id: "a",
    message_index: 2,
    chat_id: chatId,
    base_models: { tide: null },
  }),
  snapshot: json({ chat: { title: "Tides" } }),
  created_at: 1_600_000_200,
  updated_at: 1_600_000_300,
  ...more,
});
const answerIn = async (as: Person, chat: string) => {
  const { body } = await world.call<{ chat: { history: { messages: Record<string, Record<string, unknown>> } } }>(
    `/api/v1/chats/${chat}`,
    { as },
  );
  return body.chat.history.messages["a"]!;
};
const listed = async () =>
  (
    await world.call<FeedbackPage>("/api/v1/evaluations/feedbacks/list?order_by=created_at&direction=asc", {
      as: world.grace,
    })
  ).body;

test("ratings arrive at their answers, with reasons, comments and times, and not twice", async () => {
  const reading = memoryReading({ chat: [chatRow("c-1")], feedback: [feedbackRow("f-1", "c-1")] });
  const results = await world.bring(reading);
  expect(results.filter(({ kind }) => kind === "feedback")).toEqual([
    {
      kind: "feedback",
      id: "f-1",
      state: "changed",
      earlier: false,
      target_id: "f-1",
      notes: ["The copy of the conversation was left out: people share it themselves here"],
    },
  ]);
  const { body } = await world.call<FeedbackView>("/api/v1/evaluations/feedback/f-1", { as: ada });
  expect(body).toMatchObject({
    user_id: ada.id,
    type: "rating",
    data: { ...annotation, model_id: "tide", sibling_model_ids: ["gull"] },
    meta: { chat_id: "c-1", message_id: "a", message_index: 2, arena: false },
    snapshot: null,
    created_at: 1_600_000_200,
    updated_at: 1_600_000_300,
  });
  expect(await answerIn(ada, "c-1")).toMatchObject({ annotation, feedbackId: "f-1" });
  expect((await listed()).items).toMatchObject([{ id: "f-1", has_chat: false, user: { name: "Ada" } }]);
  const again = await world.bring(reading);
  expect(again.every(({ earlier }) => earlier)).toBe(true);
  expect((await listed()).total).toBe(1);
});

test("ids follow: of the chat, the model and the rating itself", async () => {
  await world.bring(memoryReading({ chat: [chatRow("c-1")], feedback: [feedbackRow("f-1", "c-1")] }));
  const second = await world.call<{ id: string }>("/api/v1/imports", {
    as: world.grace,
    json: { source: "open-webui", fingerprint: "another", name: "other.db" },
  });
  Object.assign(world, { importId: second.body.id });
  const send = (records: object[]) =>
    world.call<{ results: { target_id: string; state: string; notes: string[] }[] }>(
      `/api/v1/imports/${second.body.id}/records`,
      { as: world.grace, json: { records } },
    );
  const person = { kind: "person", id: "cy", name: "Cy", email: "cy@harbour.example", role: "user" };
  const [chat] = recordsOf(await readAll("chats", memoryReading({ chat: [chatRow("c-1", "cy")] })));
  const [rating] = recordsOf(
    await readAll("ratings", memoryReading({ feedback: [feedbackRow("f-1", "c-1", { user_id: "cy" })] })),
  );
  const { results } = (await send([person, chat!, rating!])).body;
  const [, newChat, newRating] = results;
  expect(newChat!.target_id).not.toBe("c-1");
  expect(newRating!.target_id).not.toBe("f-1");
  const [row] = (
    await world.client.execute({
      sql: "SELECT chat_id, message_id, user_id FROM feedback WHERE id = ?",
      args: [newRating!.target_id],
    })
  ).rows;
  expect(row).toMatchObject({ chat_id: newChat!.target_id, message_id: "a" });
  const [message] = (
    await world.client.execute({
      sql: "SELECT extra ->> '$.feedbackId' AS id FROM messages WHERE chat_id = ? AND id = 'a'",
      args: [newChat!.target_id],
    })
  ).rows;
  expect(message).toMatchObject({ id: newRating!.target_id });
});

test("a rating without its chat or answer counts for the model, and the report says so", async () => {
  const results = await world.bring(
    memoryReading({
      chat: [chatRow("c-1"), chatRow("c-bo", "bo")],
      feedback: [
        feedbackRow("f-2", "gone", { snapshot: null }),
        feedbackRow("f-3", "c-1", { snapshot: null, meta: json({ chat_id: "c-1", message_id: "other" }) }),
        feedbackRow("f-4", "c-bo", { snapshot: null }),
        feedbackRow("f-5", null, { snapshot: null }),
      ],
    }),
  );
  const elsewhere = "Its answer isn't in a chat of this person: it counts for the model only";
  expect(results.flatMap(({ kind, id, state, notes }) => (kind === "feedback" ? [[id, state, notes]] : []))).toEqual([
    ["f-2", "changed", ["Its chat wasn't imported: it counts for the model only"]],
    ["f-3", "changed", [elsewhere]],
    ["f-4", "changed", [elsewhere]],
    ["f-5", "created", []],
  ]);
  const { items } = await listed();
  expect(items).toHaveLength(4);
  for (const { meta, data } of items) {
    expect(meta).not.toHaveProperty("chat_id");
    expect(data).toMatchObject({ model_id: "tide", reason: "not_factual" });
  }
  // Nobody's answer has somebody else's rating.
  expect(await answerIn(bo, "c-bo")).toMatchObject({ feedbackId: "f-1" });
});

test("of two ratings of one answer the newer one counts, whichever comes first", async () => {
  const good = json({ rating: "1", comment: "Right after all", model_id: "tide" });
  const results = await world.bring(
    memoryReading({
      chat: [chatRow("c-1")],
      feedback: [
        feedbackRow("f-1", "c-1", { snapshot: null }),
        feedbackRow("f-2", "c-1", { data: good, snapshot: null, updated_at: 1_600_000_900 }),
        feedbackRow("f-3", "c-1", { snapshot: null, updated_at: 1_600_000_100 }),
      ],
    }),
  );
  const twice = ["The person has rated this answer before: the newer rating counts"];
  expect(results.filter(({ kind }) => kind === "feedback")).toMatchObject([
    { id: "f-1", state: "created" },
    { id: "f-2", state: "matched", target_id: "f-1", notes: twice },
    { id: "f-3", state: "matched", target_id: "f-1", notes: twice },
  ]);
  expect((await listed()).items).toMatchObject([{ id: "f-1", data: { rating: 1, comment: "Right after all" } }]);
  expect((await answerIn(ada, "c-1"))["annotation"]).toEqual({ rating: 1, comment: "Right after all" });
});

test("what cannot be read is left out or cut, and said", async () => {
  const feedback = [
    feedbackRow("f-1", null, { user_id: null }),
    feedbackRow("f-2", null, { data: json({ model_id: "tide" }) }),
    feedbackRow("f-3", null, { data: "{", snapshot: null }),
    feedbackRow("f-4", null, { user_id: "nobody", snapshot: null }),
    feedbackRow("f-5", null, {
      data: json({
        rating: "great",
        comment: "x".repeat(5000),
        reason: "y".repeat(300),
        details: { rating: 70 },
        extra: "z".repeat(30_000),
      }),
      meta: json({ share_chat: true, junk: "z".repeat(30_000) }),
    }),
  ];
  const results = await world.bring(memoryReading({ feedback }));
  expect(results.map(({ id, state, notes }) => [id, state, ...notes])).toEqual([
    ["f-1", "left_out", "It has no owner"],
    ["f-2", "left_out", "It says nothing about an answer"],
    ["f-3", "left_out", "It says nothing about an answer"],
    ["f-4", "left_out", "Its owner wasn't imported"],
    [
      "f-5",
      "changed",
      "Its comment was too long: it was cut",
      "Whether it is good or bad cannot be read",
      "The copy of the conversation was left out: people share it themselves here",
    ],
  ]);
  const { body } = await world.call<FeedbackView>("/api/v1/evaluations/feedback/f-5", { as: ada });
  expect(body).toMatchObject({ data: { comment: "x".repeat(4000), reason: "y".repeat(200) }, snapshot: null });
  expect(Object.keys(body.data)).not.toContain("rating");
});
