import type { Client } from "@libsql/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChat, getChat } from "../../../src/chat/conversations/chats.ts";
import { deleteChat, removeChats } from "../../../src/chat/conversations/delete-chats.ts";
import { deleteMessage } from "../../../src/chat/conversations/edit-chat-message.ts";
import { importChats } from "../../../src/chat/conversations/import-chats.ts";
import { saveChat } from "../../../src/chat/conversations/save-chat.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { maxSlice, messageCost } from "../../../src/chat/conversations/write-messages.ts";
import type { Context } from "../../../src/context.ts";
import { createDatabase } from "../../../src/db/client.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor, contextOver } from "./context-for.ts";

let world: World;
let ada: Person;
let ctx: Context;
beforeAll(async () => {
  world = await createWorld();
  ada = await world.person();
  ctx = contextFor(world, ada);
});
afterAll(() => world.close());

/** More than three transactions write. */
const count = Math.ceil((3.5 * maxSlice) / messageCost);

/** Messages, each below the one before. */
function chain(length: number, content = "Hello") {
  const messages = Array.from({ length }, (_, at) => {
    const parentId = at === 0 ? null : `m${at - 1}`;
    return [`m${at}`, { parentId, content: `${content} ${at}` }] as const;
  });
  return { history: { currentId: `m${length - 1}`, messages: Object.fromEntries(messages) } };
}

/** The context with a database that is called as it is, or fails at a write. @param fails whether this one does, from 1 */
function watched(fails: (write: number) => boolean = () => false): { ctx: Context; writes: () => number } {
  let writes = 0;
  const client = new Proxy(world.client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const [first] = [args[0]].flat() as { sql: string }[];
        const isWrite = args[1] === "write" || /^\s*(insert|update|delete|with)\b/i.test(first?.sql ?? "");
        if (isWrite && fails(++writes)) return Promise.reject(new Error("The power is out"));
        return value.apply(target, args);
      };
    },
  }) as Client;
  return { ctx: contextOver(ctx, createDatabase(client)), writes: () => writes };
}

const idsOf = ({ chat }: ChatResponse) => Object.keys(chat.history.messages);

/** Every message is below a root. */
function expectTree({ chat }: ChatResponse): void {
  const { messages } = chat.history;
  for (const { parentId } of Object.values(messages)) expect(parentId === null || parentId in messages).toBe(true);
}

test("a small save costs what it always did: one statement to read, one batch, one to read again", async () => {
  const { id } = await createChat(ctx, { chat: chain(3) });
  world.roundTrips.reset();
  await saveChat(ctx, id, chain(4, "Changed"));
  expect(world.roundTrips.count).toBe(3);
});

test("a large save takes many transactions; whichever fails, there is a tree, and saving again completes it", async () => {
  const { id } = await createChat(ctx, { chat: chain(2) });
  let stored = 2;
  let failures = 0;
  for (let failing = 1; ; failing++) {
    const { ctx: broken, writes } = watched((write) => write === failing);
    const outcome = await saveChat(broken, id, chain(count, "Changed")).catch(() => "failed");
    if (writes() < failing) break;
    expect(outcome).toBe("failed");
    failures++;
    const chat = await getChat(ctx, id);
    expectTree(chat);
    expect(idsOf(chat).length).toBeGreaterThanOrEqual(stored);
    stored = idsOf(chat).length;
  }
  expect(failures).toBeGreaterThan(4);
  const saved = await saveChat(ctx, id, chain(count, "Changed"));
  expect(idsOf(saved)).toHaveLength(count);
  expect(saved.chat.messages.map(({ content }) => content)).toEqual(
    Array.from({ length: count }, (_, at) => `Changed ${at}`),
  );
});

test("many moves are made in slices, and leave the tree that was asked for", async () => {
  const { id } = await createChat(ctx, { chat: chain(count) });
  const messages = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`m${at}`, { parentId: at === count - 1 ? null : `m${at + 1}` }]),
  );
  const saved = await saveChat(ctx, id, { history: { currentId: "m0", messages } });
  expect(saved.chat.messages.map((message) => message.id)).toEqual(
    Array.from({ length: count }, (_, at) => `m${count - 1 - at}`),
  );
});

test("a new chat that cannot be stored whole is not there", async () => {
  const chatsOf = async () => (await world.client.execute("SELECT count(*) AS n FROM chats")).rows[0]!["n"];
  const before = await chatsOf();
  await expect(createChat(watched((write) => write === 3).ctx, { chat: chain(count) })).rejects.toThrow();
  expect(await chatsOf()).toBe(before);
});

test("a branch is deleted in slices from its leaves; whichever fails, there is a tree, and deleting again ends it", async () => {
  const { id } = await createChat(ctx, { chat: chain(count) });
  for (const failing of [2, 3]) {
    await expect(deleteMessage(watched((write) => write === failing).ctx, id, "m1")).rejects.toThrow();
    const chat = await getChat(ctx, id);
    expectTree(chat);
    expect(idsOf(chat).length).toBeLessThan(count);
    expect(chat.current_message_id).toBe("m0");
  }
  expect(idsOf(await deleteMessage(ctx, id, "m1"))).toEqual(["m0"]);
});

test("large chats are deleted in slices, and so are many", async () => {
  const large = await createChat(ctx, { chat: chain(count) });
  const one = watched();
  await deleteChat(one.ctx, large.id);
  expect(one.writes()).toBeGreaterThan(3);
  await expect(getChat(ctx, large.id)).rejects.toMatchObject({ code: "not_found" });
  const person = await world.person();
  const own = contextOver(contextFor(world, person), one.ctx.db);
  await importChats(
    own,
    Array.from({ length: 4 }, () => ({ chat: chain(Math.floor(count / 5)) })),
  );
  const writes = one.writes();
  await removeChats(own.db, person.id);
  expect(one.writes() - writes).toBeGreaterThan(1);
  const left = await world.client.execute({ sql: "SELECT id FROM chats WHERE user_id = ?", args: [person.id] });
  expect(left.rows).toEqual([]);
});

test("the account of a person with large chats is deleted with them", async () => {
  const person = await world.person();
  await createChat(contextFor(world, person), { chat: chain(count) });
  const deleted = await world.call(`/api/v1/users/${person.id}`, { as: await world.admin(), method: "DELETE" });
  expect(deleted.status).toBe(200);
  const left = await world.client.execute({ sql: "SELECT id FROM messages WHERE user_id = ?", args: [person.id] });
  expect(left.rows).toEqual([]);
});

test("a chat has at most so many messages: more are refused in the form of the route, with nothing stored", async () => {
  const limited = await createWorld({ environment: { MAX_CHAT_MESSAGES: "100" } });
  try {
    const as = await limited.person();
    const refused = {
      status: 422,
      body: { code: "validation_failed", detail: expect.stringContaining("at most 100") },
    };
    const { body, status } = await limited.call<{ id: string }>("/api/v1/chats/new", {
      as,
      json: { chat: chain(100) },
    });
    expect(status).toBe(200);
    expect(await limited.call(`/api/v1/chats/${body.id}`, { as, json: { chat: chain(101) } })).toMatchObject(refused);
    expect((await limited.call(`/api/v1/chats/${body.id}`, { as, json: { chat: chain(100, "New") } })).status).toBe(
      200,
    );
    expect(await limited.call("/api/v1/chats/new", { as, json: { chat: chain(101) } })).toMatchObject(refused);
    const imported = [{ chat: chain(3) }, { chat: chain(101) }];
    expect(await limited.call("/api/v1/chats/import", { as, json: imported })).toMatchObject(refused);
    expect((await limited.call<unknown[]>("/api/v1/chats/", { as })).body).toHaveLength(1);
  } finally {
    await limited.close();
  }
});

test("a chat that is too large for one answer of the database is read in smaller parts", async () => {
  const { id } = await createChat(ctx, { chat: chain(count) });
  const asked: number[] = [];
  const client = new Proxy(world.client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]): Promise<unknown> => {
        const result: unknown = await value.apply(target, args);
        const [first] = [result].flat() as { rows: unknown[] }[];
        if (first!.rows.length > 200) throw new Error("RESPONSE_TOO_LARGE: Response is too large");
        asked.push(first!.rows.length);
        return result;
      };
    },
  }) as Client;
  const chat = await getChat(contextOver(ctx, createDatabase(client)), id);
  expect(chat.chat.messages).toHaveLength(count);
  expect(asked.length).toBeGreaterThan(count / 200);
});
