import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import { maxTextLength } from "../../../src/chat/events/store-event.ts";
import { messageItems, messages } from "../../../src/stored-chats/tables.ts";
import { createWorld, type Person, type World } from "../../world.ts";
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
    const ofMessages: [string, unknown][] = [
      ["status", { description: "One" }],
      ["message", { content: "x" }],
      ["files", { files: [] }],
      ["files", { files: [{ id: "1" }] }],
      ["chat:message:favorite", { favorite: true }],
    ];
    for (const [type, data] of [...ofMessages, ["chat:title", "x"], ["chat:tags", []]] as [string, unknown][]) {
      for (const place of [{ chatId: other.id }, { chatId: "unknown" }])
        await expect(chat.emit(type, data, place)).rejects.toMatchObject({ code: "not_found" });
    }
    for (const [type, data] of ofMessages)
      await expect(chat.emit(type, data, { messageId: "unknown" })).rejects.toMatchObject({ code: "not_found" });
    expect(shown()).toEqual([]);
    expect(await other.answer()).toMatchObject({ content: "Hello" });
    for (const key of ["favorite", "statusHistory", "files"]) expect(await other.answer()).not.toHaveProperty(key);
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
      .set({ content: "x".repeat(maxTextLength - 1) })
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

  it("is refused where what the message holds would be too large, however few things that are", async () => {
    const large = { source: { name: "a" }, document: ["x".repeat(3_900_000)] };
    for (let at = 0; at < 4; at++) await chat.emit("source", large);
    await expect(chat.emit("source", large)).rejects.toMatchObject({ code: "payload_too_large" });
    await chat.emit("source", { source: { name: "small" } });
    expect((await chat.answer())["sources"]).toHaveLength(5);
  });

  it("is refused where an answer that is being written would hold too much", async () => {
    const text = new AnswerText({ content: "x".repeat(maxTextLength - 1), reasoning: "" });
    await chat.emit("message", { content: "y" }, { text });
    await expect(chat.emit("message", { content: "y" }, { text })).rejects.toMatchObject({ code: "payload_too_large" });
    expect(text.content).toHaveLength(maxTextLength);
  });

  it("is kept with the message where its answer has just ended", async () => {
    const text = new AnswerText({ content: "Hello", reasoning: "" });
    await text.close();
    await chat.emit("message", { content: " you" }, { text });
    expect(text.content).toBe("Hello");
    expect((await chat.answer()).content).toBe("Hello you");
  });
});
