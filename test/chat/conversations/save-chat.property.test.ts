import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createChat, getChat } from "../../../src/chat/conversations/chats.ts";
import { deleteMessage } from "../../../src/chat/conversations/edit-chat-message.ts";
import { loadPath } from "../../../src/chat/conversations/load-path.ts";
import { planTree } from "../../../src/chat/conversations/plan-tree.ts";
import { readHistory } from "../../../src/chat/conversations/read-history.ts";
import { saveChat } from "../../../src/chat/conversations/save-chat.ts";
import type { ChatDocument, ChatResponse } from "../../../src/chat/conversations/schema.ts";
import type { AppError } from "../../../src/errors.ts";
import { createWorld, type World } from "../../world.ts";
import { contextFor } from "./context-for.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

interface ModelMessage {
  parentId: string | null;
  role: string;
  content: string;
  keys: Record<string, unknown>;
}

/** What a chat is meant to be: messages by id. */
type Model = Map<string, ModelMessage>;

const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("100%", "ü\u0301", "'\"", "\n", "{}", "[1]", "null", "1", "true"),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.record({ x: fc.oneof(fc.integer(), text) }),
);
const change = fc.record(
  {
    parentId: fc.option(id),
    role: fc.constantFrom("user", "assistant"),
    content: text,
    note: value,
    rating: value,
    'odd "key".$[0]': value,
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("save" as const), messages: fc.dictionary(id, change, { maxKeys: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), id }) },
);

const clean = (content: string) => content.toWellFormed().replaceAll("\0", "");

/** The rule: keys that are named change, null takes one away, a broken tree changes nothing. */
function saveInto(model: Model, messages: Record<string, Record<string, unknown>>): Model | undefined {
  const next: Model = new Map(structuredClone([...model]));
  for (const [at, { parentId, role, content, ...keys }] of Object.entries(messages)) {
    const old = next.get(at) ?? { parentId: null, role: "user", content: "", keys: {} };
    const laid = { ...old.keys, ...keys };
    next.set(at, {
      parentId: parentId === undefined ? old.parentId : (parentId as string | null),
      role: (role as string | undefined) ?? old.role,
      content: clean((content as string | undefined) ?? old.content),
      keys: Object.fromEntries(Object.entries(laid).filter(([, each]) => each !== null)),
    });
  }
  for (const start of next.keys()) {
    const seen = new Set<string>();
    for (let at: string | null = start; at !== null; at = next.get(at)!.parentId) {
      if (seen.has(at) || !next.has(at)) return undefined;
      seen.add(at);
    }
  }
  return next;
}

function removeFrom(model: Model, root: string): void {
  const gone = new Set([root]);
  for (let size = 0; size !== gone.size;) {
    size = gone.size;
    for (const [at, message] of model) if (message.parentId !== null && gone.has(message.parentId)) gone.add(at);
  }
  for (const at of gone) model.delete(at);
}

function modelOf({ chat }: ChatResponse): Model {
  return new Map(
    Object.entries(chat.history.messages).map(([at, message]) => {
      const { parentId, role, content, ...others } = message;
      const served = new Set(["id", "childrenIds", "timestamp", "done", "state"]);
      const keys = Object.fromEntries(Object.entries(others).filter(([key]) => !served.has(key)));
      return [at, { parentId, role, content: content as string, keys }];
    }),
  );
}

const sorted = (model: Model) => [...model].sort(([a], [b]) => (a < b ? -1 : 1));

/** What became of a call: "done", or the code of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "done",
    (error: unknown) => (error as AppError).code,
  );
}

it("any saves and deletions leave the chat that they describe, and every branch can be walked", async () => {
  const ctx = contextFor(world, await world.person());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const chat = await createChat(ctx, { chat: { title: "T" } });
      const outcomes: { got: string; meant: string }[] = [];
      let model: Model = new Map();
      for (const each of steps) {
        if (each.kind === "delete") {
          const got = await outcomeOf(deleteMessage(ctx, chat.id, each.id));
          outcomes.push({ got, meant: model.has(each.id) ? "done" : "not_found" });
          removeFrom(model, each.id);
        } else {
          const next = saveInto(model, each.messages);
          const document = { history: { messages: each.messages } } as ChatDocument;
          const got = await outcomeOf(saveChat(ctx, chat.id, document));
          outcomes.push({ got, meant: next ? "done" : "validation_failed" });
          model = next ?? model;
        }
      }
      expect(outcomes.map(({ got }) => got)).toEqual(outcomes.map(({ meant }) => meant));
      const stored = await getChat(ctx, chat.id);
      expect(sorted(modelOf(stored))).toEqual(sorted(model));
      for (const [at, message] of Object.entries(stored.chat.history.messages)) {
        const children = [...model].filter(([, other]) => other.parentId === at).map(([child]) => child);
        expect([...message.childrenIds].sort()).toEqual(children.sort());
        const path: ModelMessage[] = [];
        for (let up: string | null = at; up !== null; up = model.get(up)!.parentId) path.push(model.get(up)!);
        const told = path.filter(({ role, content }) => role !== "assistant" || content !== "").reverse();
        expect(await loadPath(ctx, chat.id, at)).toEqual(told.map(({ role, content }) => ({ role, content })));
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);

it("saves at the same time make no circle and lose nothing", async () => {
  const ctx = contextFor(world, await world.person());
  const saves = fc.array(fc.dictionary(id, change, { minKeys: 1, maxKeys: 3 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(saves, async (given) => {
      const chat = await createChat(ctx, {
        chat: {
          messages: [
            { id: "a", role: "user", content: "1" },
            { id: "b", role: "user", content: "2" },
            { id: "c", role: "user", content: "3" },
          ],
        },
      });
      const documents = given.map((messages) => ({ history: { messages } }) as ChatDocument);
      const outcomes = await Promise.all(documents.map((document) => outcomeOf(saveChat(ctx, chat.id, document))));
      expect(outcomes.filter((outcome) => !["done", "validation_failed", "conflict"].includes(outcome))).toEqual([]);
      const { messages } = (await getChat(ctx, chat.id)).chat.history;
      for (const start of Object.keys(messages)) {
        const seen: string[] = [];
        for (let at: string | null = start; at !== null && seen.length <= 6; at = messages[at]!.parentId) seen.push(at);
        expect(seen.length).toBeLessThanOrEqual(6);
      }
      const saved = given.filter((_, at) => outcomes[at] === "done");
      for (const at of new Set(saved.flatMap((save) => Object.keys(save)))) {
        const said = saved.map((save) => save[at]?.content).filter((each) => each !== undefined);
        const before = { a: "1", b: "2", c: "3" }[at] ?? "";
        expect(said.length > 0 ? said.map(clean) : [before]).toContain(messages[at]!.content);
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);

it("any tree that is laid down is mended in the same way: all messages there, all reachable", () => {
  const messages = fc.dictionary(
    id,
    fc.record(
      { parentId: fc.option(fc.oneof(id, fc.constant("nowhere"))), childrenIds: fc.array(id, { maxLength: 3 }) },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(messages, (given) => {
      const changes = readHistory({ history: { messages: given } } as ChatDocument);
      const plan = planTree([], changes);
      expect(plan.inserts.map((each) => each.change.id).sort()).toEqual(Object.keys(given).sort());
      const placed = new Set<string>();
      for (const { change: each, parentId } of plan.inserts) {
        expect(parentId === null || placed.has(parentId)).toBe(true);
        placed.add(each.id);
      }
      const isAsGiven = plan.inserts.every(
        ({ change: each, parentId }) => each.parentId === undefined || each.parentId === parentId,
      );
      expect(isAsGiven || plan.issues.length > 0).toBe(true);
      expect(plan.newestLeaf === null).toBe(plan.inserts.length === 0);
    }),
    { numRuns: 500 },
  );
});
