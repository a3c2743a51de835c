import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { startAnswer } from "../../../src/chat/conversations/start-answer.ts";
import { messageItems, messages } from "../../../src/chat/conversations/tables.ts";
import { finishAnswer, interruptAnswer, writeProgress } from "../../../src/chat/conversations/write-answer.ts";
import { putMessageItem } from "../../../src/chat/events/message-items.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../conversations/context-for.ts";
import { whole } from "../conversations/whole.ts";
import { createEventChat, type EventChat } from "./event-chat.ts";

let world: World;
let ada: Person;
let chat: EventChat;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  chat = await createEventChat(world, ada);
  await world.settled();
  world.live.published.length = 0;
  world.live.answers.length = 0;
});

const shown = () => world.live.published.map(({ event }) => event);
const numbers = Array.from({ length: 40 }, (_, at) => at);

describe("what events add to a message", () => {
  it("is text behind the text, or in its place, under either name", async () => {
    await chat.emit("message", { content: " you" });
    await chat.emit("chat:message:delta", { content: "!" });
    expect((await chat.answer()).content).toBe("Hello you!");
    await chat.emit("replace", { content: "Good day" });
    expect((await chat.answer()).content).toBe("Good day");
    await chat.emit("chat:message", { content: "Good night" });
    expect((await chat.answer()).content).toBe("Good night");
    expect(shown().map(({ data }) => data)).toEqual([
      { type: "chat:message:delta", data: { content: " you" } },
      { type: "chat:message:delta", data: { content: "!" } },
      { type: "chat:message", data: { content: "Good day" } },
      { type: "chat:message", data: { content: "Good night" } },
    ]);
    expect(shown()[0]).toMatchObject({ chat_id: chat.id, message_id: "a" });
  });

  it("is text of the parts where the message has more than text", async () => {
    chat = await createEventChat(world, ada, {
      content: [
        { type: "text", text: "See" },
        { type: "image_url", image_url: { url: "x" } },
      ],
    });
    await chat.emit("message", { content: " this" });
    expect((await chat.answer()).content).toEqual([
      { type: "text", text: "See" },
      { type: "image_url", image_url: { url: "x" } },
      { type: "text", text: " this" },
    ]);
    await chat.emit("replace", { content: "Nothing" });
    expect((await chat.answer()).content).toBe("Nothing");
  });

  it("is found by searching", async () => {
    await chat.emit("message", { content: " in the harbourage" });
    const found = await world.call<{ id: string }[]>("/api/v1/chats/search?text=harbourage", { as: ada });
    expect(found.body.map(({ id }) => id)).toEqual([chat.id]);
  });

  it("is clean text, as the database can keep it", async () => {
    await chat.emit("message", { content: "\0 \ud83d" });
    await chat.emit("status", { description: "a\0b\ud83d" });
    expect(await chat.answer()).toMatchObject({
      content: "Hello \ufffd",
      statusHistory: [{ description: "ab\ufffd" }],
    });
  });

  it("is each status in its order, hidden ones too", async () => {
    await chat.emit("status", { description: "One", done: true });
    await chat.emit("status", { description: "Two", hidden: true });
    expect((await chat.answer())["statusHistory"]).toEqual([
      { description: "One", done: true, hidden: false },
      { description: "Two", done: true, hidden: true },
    ]);
  });

  it("is each source, under either name, and those of a completion", async () => {
    await chat.emit("source", { source: { name: "a" }, document: ["x"] });
    await chat.emit("citation", { source: { name: "b" } });
    await chat.emit("chat:completion", { sources: [{ source: { name: "c" } }], usage: { total_tokens: 3 } });
    expect(await chat.answer()).toMatchObject({
      sources: [{ source: { name: "a" }, document: ["x"] }, { source: { name: "b" } }, { source: { name: "c" } }],
      usage: { total_tokens: 3 },
    });
  });

  it("are files: the last word is what there is, whoever said the first", async () => {
    chat = await createEventChat(world, ada, { files: [{ id: "own" }] });
    await chat.emit("files", { files: [{ id: "1" }, { id: "2" }] });
    expect((await chat.answer())["files"]).toEqual([{ id: "1" }, { id: "2" }]);
    await chat.emit("chat:message:files", { files: [{ id: "3" }] });
    expect((await chat.answer())["files"]).toEqual([{ id: "3" }]);
    await chat.emit("files", { files: [] });
    expect(await chat.answer()).not.toHaveProperty("files");
  });

  it("are embeds, more or others", async () => {
    await chat.emit("embeds", { embeds: ["<p>1</p>"] });
    await chat.emit("chat:message:embeds", { embeds: "https://harbour.example/" });
    expect((await chat.answer())["embeds"]).toEqual(["<p>1</p>", "https://harbour.example/"]);
    await chat.emit("embeds", { embeds: ["<p>2</p>"], replace: true });
    expect((await chat.answer())["embeds"]).toEqual(["<p>2</p>"]);
  });

  it("is a mark, what could be asked next, and an error", async () => {
    await chat.emit("chat:message:favorite", { favorite: true });
    await chat.emit("chat:message:follow_ups", { follow_ups: ["And then?"] });
    await chat.emit("chat:message:error", { error: { content: "No wind" } });
    expect(await chat.answer()).toMatchObject({
      favorite: true,
      followUps: ["And then?"],
      error: { message: "No wind", content: "No wind", code: "plugin_failed" },
    });
    await chat.emit("chat:message:favorite", { favorite: false });
    expect((await chat.answer())["favorite"]).toBe(false);
  });

  it("stands behind what clients have stored there themselves", async () => {
    chat = await createEventChat(world, ada, { sources: [{ source: { name: "own" } }], statusHistory: "broken" });
    await chat.emit("source", { source: { name: "new" } });
    await chat.emit("status", { description: "One" });
    expect(await chat.answer()).toMatchObject({
      sources: [{ source: { name: "own" } }, { source: { name: "new" } }],
      statusHistory: [{ description: "One" }],
    });
  });

  it("has numbers by which a tab knows what it has loaded already", async () => {
    await chat.emit("source", { source: { name: "a" } });
    await chat.emit("status", { description: "One" });
    const { lastItem } = (await chat.answer()) as unknown as { lastItem: number };
    expect(shown()[1]!.item).toBe(lastItem);
    expect(shown()[0]!.item).toBeLessThan(lastItem);
    await chat.emit("files", { files: [{ id: "1" }] });
    await chat.emit("files", { files: [{ id: "2" }] });
    expect(shown()[3]!.item).toBeGreaterThan(shown()[2]!.item!);
  });
});

describe("what events say of a chat", () => {
  it("is its title, which no model writes over", async () => {
    await chat.emit("chat:title", { title: "Of ships" });
    expect((await chat.read()).title).toBe("Of ships");
    await chat.emit("chat:title", "Of tides", { messageId: undefined });
    expect((await chat.read()).title).toBe("Of tides");
    const [row] = (await world.client.execute({ sql: "SELECT title_chosen FROM chats WHERE id = ?", args: [chat.id] }))
      .rows;
    expect(row!["title_chosen"]).toBe(1);
    expect(shown().map(({ data }) => data.type)).toEqual(["chat:title", "chat:list", "chat:title", "chat:list"]);
  });

  it("are its tags", async () => {
    await chat.emit("chat:tags", ["ships", "tides"]);
    await chat.emit("chat:tags", [{ name: "tides" }, "winds"]);
    expect((await chat.read()).chat.tags).toEqual(["tides", "winds"]);
    await chat.emit("chat:tags", []);
    expect((await chat.read()).chat.tags).toEqual([]);
  });
});

describe("whatever comes at the same time,", () => {
  it("all of it is kept once, and tabs see it in the order in which it is kept", async () => {
    await Promise.all(
      numbers.flatMap((at) => [
        chat.emit("message", { content: `<${at}>` }),
        chat.emit("status", { description: `${at}` }),
        chat.emit("citation", { source: { name: `${at}` } }),
      ]),
    );
    const answer = await chat.answer();
    const seen = (type: string) => shown().flatMap(({ data }) => (data.type === type ? [data.data] : []));
    expect(answer.content).toBe(`Hello${numbers.map((at) => `<${at}>`).join("")}`);
    expect(answer["statusHistory"]).toEqual(seen("status"));
    expect(answer["sources"]).toEqual(seen("source"));
    expect(answer["sources"]).toHaveLength(40);
    expect((seen("chat:message:delta") as { content: string }[]).map(({ content }) => content).join("")).toBe(
      String(answer.content).slice(5),
    );
  });

  it("files are those of one event, never a mixture", async () => {
    await Promise.all(
      numbers.map((at) =>
        chat.emit("files", {
          files: [
            { id: `${at}`, part: 1 },
            { id: `${at}`, part: 2 },
          ],
        }),
      ),
    );
    const files = (await chat.answer())["files"] as { id: string; part: number }[];
    expect(files.map(({ part }) => part)).toEqual([1, 2]);
    expect(files[0]!.id).toBe(files[1]!.id);
  });
});

describe("an event for what is not there", () => {
  it("is refused, and nobody sees it", async () => {
    const other = await createEventChat(world, await world.person());
    await world.settled();
    world.live.published.length = 0;
    for (const [type, data] of [
      ["status", { description: "One" }],
      ["message", { content: "x" }],
      ["files", { files: [] }],
      ["files", { files: [{ id: "1" }] }],
      ["chat:title", "x"],
      ["chat:tags", []],
      ["chat:message:favorite", { favorite: true }],
    ] as const) {
      for (const place of [{ chatId: other.id }, { chatId: "unknown" }])
        await expect(chat.emit(type, data, place)).rejects.toMatchObject({ code: "not_found" });
      if (!type.startsWith("chat:t"))
        await expect(chat.emit(type, data, { messageId: "unknown" })).rejects.toMatchObject({ code: "not_found" });
    }
    expect(shown()).toEqual([]);
    expect(await other.answer()).toMatchObject({ content: "Hello" });
    expect(await other.answer()).not.toHaveProperty("favorite");
  });

  it("is only shown outside stored chats, and where there is no message", async () => {
    await chat.emit("status", { description: "One" }, { chatId: "temporary:1" });
    await chat.emit("status", { description: "Two" }, { chatId: undefined, messageId: undefined });
    await chat.emit("status", { description: "Three" }, { messageId: undefined });
    await chat.emit("weather", { wind: 3 });
    expect(shown().map(({ chat_id: id, data }) => [id, (data.data as { description?: string }).description])).toEqual([
      ["temporary:1", "One"],
      [undefined, "Two"],
      [chat.id, "Three"],
      [chat.id, undefined],
    ]);
    expect(await chat.answer()).not.toHaveProperty("statusHistory");
  });

  it("is refused where the message would hold too much", async () => {
    await world.db
      .update(messages)
      .set({ content: "x".repeat(15_999_999) })
      .where(eq(messages.chatId, chat.id));
    await chat.emit("message", { content: "y" });
    await expect(chat.emit("message", { content: "y" })).rejects.toMatchObject({ code: "payload_too_large" });
    const many = numbers.flatMap((at) =>
      Array.from({ length: 50 }, (_, part) => ({ source: { name: `${at} ${part}` } })),
    );
    await chat.emit("chat:completion", { sources: many.slice(0, 1) });
    await world.db
      .insert(messageItems)
      .values(
        many.slice(1).map((data) => ({ chatId: chat.id, messageId: "a", kind: "source" as const, data, createdAt: 0 })),
      );
    await expect(chat.emit("source", { source: { name: "one more" } })).rejects.toMatchObject({
      code: "payload_too_large",
    });
    await chat.emit("status", { description: "of another kind" });
  });
});

describe("while an answer is written", () => {
  const place = () => ({ chatId: chat.id, messageId: "b", runId: "r" });
  const begin = () =>
    startAnswer(contextFor(world, ada), {
      chatId: chat.id,
      messageId: "b",
      runId: "r",
      model: "m",
      parentId: undefined,
      mode: "start",
      question: { id: "q2", content: "And then?" },
    });
  const answer = async () =>
    (await chat.read()).chat.history.messages["b"] as unknown as Record<string, unknown> & { content: string };

  it("text goes into it at once, in the order of the calls", async () => {
    await begin();
    const text = new AnswerText();
    world.live.answers.push({ ...place(), text, ended: Promise.resolve() });
    text.append({ content: "a" });
    const written = chat.emit("message", { content: "b" }, place());
    text.append({ content: "c" });
    expect(text.content).toBe("abc");
    await written;
    await chat.emit("replace", { content: "d" }, place());
    text.append({ content: "e" });
    expect(text.content).toBe("de");
    // Stored and shown from there.
    expect(shown()).toEqual([]);
    await expect(chat.emit("message", { content: "x".repeat(3_999_000) }, place())).resolves.toBeUndefined();
    text.append({ content: "x".repeat(12_000_000) });
    await expect(chat.emit("message", { content: "x".repeat(10_000) }, place())).rejects.toMatchObject({
      code: "payload_too_large",
    });
  });

  it("text that comes when its end is being stored stands behind it", async () => {
    await begin();
    const text = new AnswerText();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    world.live.answers.push({ ...place(), text, ended });
    await text.close();
    const late = chat.emit("message", { content: " And more." }, place());
    await finishAnswer(world.services, place(), { state: "done" }, whole("All."));
    resolve();
    await late;
    expect((await answer()).content).toBe("All. And more.");
  });

  it("of an API call, text goes into its own text", async () => {
    const text = new AnswerText();
    text.append({ content: "a" });
    await chat.emit("message", { content: "b" }, { ...place(), text });
    await chat.emit("replace", { content: "c" }, { ...place(), text });
    expect(text.content).toBe("c");
  });

  it("text from elsewhere is not lost by the steps that follow", async () => {
    await begin();
    const step = (number: number, content: string) => ({ number, isWhole: false, content, reasoning: "" });
    await writeProgress(world.services, place(), step(1, "One, "));
    await chat.emit("message", { content: "[aside] " }, place());
    await writeProgress(world.services, place(), step(2, "two, "));
    // Once more, as its confirmation was lost.
    await writeProgress(world.services, place(), step(2, "two, "));
    await finishAnswer(world.services, place(), { state: "done" }, step(3, "three."));
    expect((await answer()).content).toBe("One, [aside] two, three.");
  });

  it("what is left open ends with it, an error that an event has said stays", async () => {
    await begin();
    await chat.emit("status", { description: "One", done: false }, place());
    await chat.emit("status", { description: "Two", done: false, hidden: true }, place());
    await chat.emit("chat:message:error", { error: "No wind" }, place());
    await putMessageItem(contextFor(world, ada), place(), "tool", "c1", { call_id: "c1", state: "running" });
    await putMessageItem(contextFor(world, ada), place(), "tool", "c2", { call_id: "c2", state: "done" });
    expect((await answer())["statusHistory"]).toMatchObject([{ done: false }, { done: false }]);
    await finishAnswer(world.services, { ...place(), runId: "another" }, { state: "done" });
    expect((await answer())["statusHistory"]).toMatchObject([{ done: false }, { done: false }]);
    await finishAnswer(world.services, place(), { state: "done" });
    expect(await answer()).toMatchObject({
      statusHistory: [
        { description: "One", done: true, hidden: false },
        { description: "Two", done: true, hidden: true },
      ],
      output: [
        { call_id: "c1", state: "error", error: expect.stringMatching(/ended before/) },
        { call_id: "c2", state: "done" },
      ],
      error: { message: "No wind" },
    });
    await chat.emit("status", { description: "Late", done: false }, place());
    expect(((await answer())["statusHistory"] as unknown[]).at(-1)).toMatchObject({ description: "Late", done: true });
  });

  it("what is left open ends also when its process is gone", async () => {
    await begin();
    await chat.emit("status", { description: "One", done: false }, place());
    await interruptAnswer(world.services, place());
    expect(await answer()).toMatchObject({ state: "interrupted", statusHistory: [{ done: true }] });
  });

  it("what belonged to an earlier answer in the same place is gone", async () => {
    chat = await createEventChat(world, ada, { sources: [{ source: { name: "own" } }] });
    await chat.emit("status", { description: "One" });
    await chat.emit("chat:message:follow_ups", { follow_ups: ["And then?"] });
    await startAnswer(contextFor(world, ada), {
      chatId: chat.id,
      messageId: "a",
      runId: "r",
      model: "m",
      parentId: undefined,
      mode: "fill",
    });
    const message = await chat.answer();
    for (const key of ["statusHistory", "sources", "followUps", "lastItem"]) expect(message).not.toHaveProperty(key);
  });
});

describe("things that change under a name", () => {
  it("are one thing, and shown each time", async () => {
    const put = (data: Record<string, unknown>, messageId: string | undefined = "a") =>
      putMessageItem(contextFor(world, ada), { chatId: chat.id, messageId }, "tool", "c1", data);
    await put({ call_id: "c1", state: "running" });
    await put({ call_id: "c1", state: "done", result: "3" });
    expect((await chat.answer())["output"]).toEqual([{ call_id: "c1", state: "done", result: "3" }]);
    expect(shown().map(({ data }) => data)).toEqual([
      { type: "chat:tool", data: { call_id: "c1", state: "running" } },
      { type: "chat:tool", data: { call_id: "c1", state: "done", result: "3" } },
    ]);
    await expect(put({}, "unknown")).rejects.toMatchObject({ code: "not_found" });
    await expect(
      putMessageItem(contextFor(world, ada), { chatId: undefined, messageId: undefined }, "tool", "c1", {}),
    ).resolves.toBeUndefined();
  });
});

describe("what events have added", () => {
  beforeEach(async () => {
    await chat.emit("status", { description: "One" });
    await chat.emit("source", { source: { name: "a" } });
    await chat.emit("files", { files: [{ id: "1" }] });
    await chat.emit("embeds", { embeds: ["<p>1</p>"] });
    await putMessageItem(contextFor(world, ada), { chatId: chat.id, messageId: "a" }, "tool", "c1", { call_id: "c1" });
  });
  const lists = {
    statusHistory: [{ description: "One", done: true, hidden: false }],
    sources: [{ source: { name: "a" } }],
    files: [{ id: "1" }],
    embeds: ["<p>1</p>"],
    output: [{ call_id: "c1" }],
  };

  it("is in the loaded chat, and stays as it is when a client saves what it has loaded", async () => {
    expect(await chat.answer()).toMatchObject(lists);
    const loaded = await chat.read();
    await chat.emit("status", { description: "Two" });
    for (let time = 0; time < 2; time++) {
      await world.call(`/api/v1/chats/${chat.id}`, { as: ada, json: { chat: loaded.chat } });
      expect(await chat.answer()).toMatchObject({
        ...lists,
        statusHistory: [...lists.statusHistory, { description: "Two" }],
      });
    }
    const [stored] = await world.db.select().from(messages).where(eq(messages.chatId, chat.id)).limit(1).offset(1);
    expect(stored!.extra).toEqual({});
  });

  it("is in exports, copies and imports", async () => {
    const all = (await world.call<ChatResponse[]>("/api/v1/chats/all", { as: ada })).body;
    const exported = all.find(({ id }) => id === chat.id)!;
    expect(exported.chat.history.messages["a"]).toMatchObject(lists);
    const copy = (await world.call<ChatResponse>(`/api/v1/chats/${chat.id}/clone`, { as: ada, json: {} })).body;
    expect(copy.chat.history.messages["a"]).toMatchObject(lists);
    const [imported] = (await world.call<ChatResponse[]>("/api/v1/chats/import", { as: ada, json: [exported] })).body;
    expect(imported!.chat.history.messages["a"]).toMatchObject(lists);
    expect(imported!.chat.history.messages["a"]).not.toHaveProperty("lastItem");
    expect(imported!.chat.messages.at(-1)).toMatchObject(lists);
  });

  it("goes with its message, and with its chat", async () => {
    const left = async () =>
      (await world.db.select().from(messageItems).where(eq(messageItems.chatId, chat.id))).length;
    expect(await left()).toBe(5);
    await world.call(`/api/v1/chats/${chat.id}/messages/a`, { as: ada, method: "DELETE" });
    expect(await left()).toBe(0);
    const another = await createEventChat(world, ada);
    await another.emit("status", { description: "One" });
    await world.call(`/api/v1/chats/${another.id}`, { as: ada, method: "DELETE" });
    expect(await world.db.select().from(messageItems).where(eq(messageItems.chatId, another.id))).toEqual([]);
  });
});
