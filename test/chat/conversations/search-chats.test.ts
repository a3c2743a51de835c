import { and, desc, eq, like, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatResponse, FoundChat } from "../../../src/chat/conversations/schema.ts";
import { startAnswer } from "../../../src/chat/conversations/start-answer.ts";
import { finishAnswer, writeProgress } from "../../../src/chat/conversations/write-answer.ts";
import { pairText, searchWords } from "../../../src/db/search-words.ts";
import { newId } from "../../../src/lib/id.ts";
import { users } from "../../../src/people/users/tables.ts";
import { chats, messages } from "../../../src/stored-chats/tables.ts";
import type { Person } from "../../world.ts";
import { contextFor } from "./context-for.ts";
import { createSearchWorld, type SearchWorld } from "./search-world.ts";
import { whole } from "./whole.ts";

let here: SearchWorld;
let world: SearchWorld["world"];
let ada: Person;
let store: SearchWorld["store"];
let search: SearchWorld["search"];
let titles: SearchWorld["titles"];

beforeAll(async () => {
  here = await createSearchWorld();
  ({ world, store, search, titles } = here);
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await here.begin();
});

describe("a search", () => {
  it("finds words in titles and messages, titles first, with the place where they stand", async () => {
    await store(
      "Breakfast",
      "Where do ships anchor?",
      "In the harbour, behind the long stone wall that keeps the waves away.",
    );
    await store("The harbour", "Hello");
    const found = await search("harbour");
    expect(found.map((chat) => chat.title)).toEqual(["The harbour", "Breakfast"]);
    expect(found[0]).toMatchObject({ snippet: "The harbour", message_id: null });
    expect(found[1]!.snippet).toContain("In the harbour, behind");
    expect(found[1]!.message_id).not.toBeNull();
  });

  it("lists messages that have a long last word as it is first, then those with longer words, on all pages", async () => {
    await store("Longer", "the harbours of the north");
    await store("As it is", "a harbour");
    await store("Longer and newer", "**harbourmaster** of the day", "harbours");
    const found = await search("harbour");
    expect(found.map(({ title, snippet }) => [title, snippet])).toEqual([
      ["As it is", "a harbour"],
      ["Longer and newer", "harbours"],
      ["Longer", "the harbours of the north"],
    ]);
    for (let at = 0; at < 61; at++) await store(`Chat ${at}`, "one more harbour");
    const [first, second] = [await search("harbour"), await search("harbour", ada, 2)];
    expect(first.every(({ snippet }) => snippet === "one more harbour")).toBe(true);
    expect(second.map(({ title }) => title)).toEqual(["Chat 0", "As it is", "Longer and newer", "Longer"]);
  });

  it("lists chats by the newest message that has the words, and shows that one", async () => {
    await store("First", "harbour in the morning", "fog", "harbour at noon");
    await store("Second", "harbour in the evening");
    await store("Third", "fog");
    const found = await search("harbour");
    expect(found.map(({ title, snippet }) => [title, snippet])).toEqual([
      ["Second", "harbour in the evening"],
      ["First", "harbour at noon"],
    ]);
  });

  it("wants all words, in one place; the last one may be unfinished", async () => {
    await store("One", "red boats sail", "blue");
    await store("Two", "red", "boats");
    expect(await titles("red boats")).toEqual(["One"]);
    expect(await titles("red boa")).toEqual(["One"]);
    expect(await titles("boa red")).toEqual([]);
    expect(await titles("BLUE")).toEqual(["One"]);
  });

  it("gives each chat once, however many of its messages fit", async () => {
    await store("Many", ...Array.from({ length: 30 }, (_, at) => `harbour number ${at}`));
    expect(await titles("harbour")).toEqual(["Many"]);
  });

  it("finds older chats behind one with more hits than are read at first, and behind archived ones", async () => {
    const ids = ["harbour", "harbours"].map((text) => store(`Old ${text}`, text));
    await Promise.all(ids);
    await store("Long", ...Array.from({ length: 300 }, (_, at) => `harbour number ${at}`));
    expect((await titles("harbour")).toSorted()).toEqual(["Long", "Old harbour", "Old harbours"]);
    expect((await titles("harb")).toSorted()).toEqual(["Long", "Old harbour", "Old harbours"]);
    const [{ id }] = (await search("number")) as [FoundChat];
    await world.call(`/api/v1/chats/${id}/archive`, { as: ada, method: "POST" });
    expect((await titles("harbour")).toSorted()).toEqual(["Old harbour", "Old harbours"]);
  });

  it.each([
    ["café", "Ein CAFE in Paris"],
    ["гавань", "Старая Гавань"],
    ["ΛΙΜΆΝΙ", "το λιμάνι"],
    ["港", "古い港の町"],
    ["港の町", "古い港の町"],
    ["학교", "우리는 학교에서 배운다"],
    ["ท่าเรือ", "ที่ท่าเรือเก่า"],
    ["हिन्दी", "यह हिन्दी है"],
    ["ميناء", "هذا ميناء قديم"],
    ["🚢", "a 🚢 passes"],
    ["C++", "written in C++ by hand"],
    ["user_id", "the column user_id is text"],
    ["foo(bar)", "call foo(bar) twice"],
  ])("finds %s", async (text, content) => {
    await store("Right", content);
    await store("Wrong", "something else, user id, C, foo bar");
    expect(await titles(text)).toEqual(["Right"]);
  });

  it("takes signs for letters", async () => {
    await store("Percent", "100% sure");
    await store("Number", "1000 things");
    await store("Snake", "snake_case");
    await store("Other", "snakeXcase");
    await store("Slash", String.raw`C:\temp\new`);
    await store("Quote", `She said "no" to 'them'`);
    expect(await titles("100%")).toEqual(["Percent"]);
    expect(await titles("%")).toEqual(["Percent"]);
    expect(await titles("_")).toEqual(["Snake"]);
    expect(await titles("snake_case")).toEqual(["Snake"]);
    expect(await titles(String.raw`C:\temp`)).toEqual(["Slash"]);
    expect(await titles(`"no"`)).toEqual(["Quote"]);
    expect(await titles("said 'them'")).toEqual(["Quote"]);
  });

  it.each([
    "*",
    '"',
    "''",
    '"" OR 1',
    "NEAR(a b)",
    "content:x",
    "a AND",
    "NOT",
    "-x",
    "^a",
    "{a b}:c",
    "a'); DROP TABLE chats;--",
    "\\",
    "\u0000",
    "()",
    "a* b*",
    "😀".repeat(400),
    "%_%_%",
  ])("is not confused by %j", async (text) => {
    await store("Plain", "a b c");
    const found = await search(text);
    expect(found.length).toBeLessThanOrEqual(1);
  });

  it.each(["", "   ", "\n"])("finds nothing for %j", async (text) => {
    await store("Plain", "a b c");
    expect(await titles(text)).toEqual([]);
  });

  it("sees one's own chats only, and no archived ones", async () => {
    const id = await store("Mine", "harbour", "100%");
    const bob = await world.person();
    for (const text of ["harbour", "Mine", "100%", "%"]) expect(await titles(text, bob)).toEqual([]);
    await world.call(`/api/v1/chats/${id}/archive`, { as: ada, method: "POST" });
    for (const text of ["harbour", "Mine", "100%"]) expect(await titles(text)).toEqual([]);
  });

  it("finds nothing of a person whose id ends with the same digits", async () => {
    const { db } = world.services;
    const chatId = await store("Mine: harbour", "harbour");
    const twin = `00000000-0000-7000-8000-${ada.id.slice(24)}`;
    const [person] = await db.select().from(users).where(eq(users.id, ada.id));
    const [chat] = await db.select().from(chats).where(eq(chats.id, chatId));
    const [message] = await db.select().from(messages).where(eq(messages.chatId, chatId));
    const copied = { number: undefined, id: newId(), userId: twin };
    await db.insert(users).values({ ...person!, id: twin, email: `${twin}@harbour.example` });
    await db.insert(chats).values({ ...chat!, ...copied, title: "Theirs: harbour" });
    await db.insert(messages).values({ ...message!, ...copied, chatId: copied.id, parentId: null });
    for (const text of ["harbour", "harb"]) expect(await titles(text)).toEqual(["Mine: harbour"]);
  });

  it("follows what is edited, renamed and deleted", async () => {
    const id = await store("Before", "apple");
    const other = await store("Gone", "apple");
    const [message] = (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada })).body.chat.messages;
    await world.call(`/api/v1/chats/${id}`, { as: ada, json: { chat: { title: "After" } } });
    await world.call(`/api/v1/chats/${id}/messages/${message!.id}`, { as: ada, json: { content: "pear" } });
    await world.call(`/api/v1/chats/${other}`, { as: ada, method: "DELETE" });
    expect(await titles("apple")).toEqual([]);
    expect(await titles("Before")).toEqual([]);
    expect(await titles("pear")).toEqual(["After"]);
    expect(await titles("after")).toEqual(["After"]);
    await world.call(`/api/v1/chats/${id}/messages/${message!.id}`, { as: ada, method: "DELETE" });
    expect(await titles("pear")).toEqual([]);
    for (const table of ["message_search", "chat_search"]) {
      await world.client.execute(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 1)`);
    }
  });

  it("finds an answer when it has ended", async () => {
    const place = { messageId: "a", runId: "r" };
    const { chatId } = await startAnswer(contextFor(world, ada), {
      ...place,
      chatId: undefined,
      model: "m",
      parentId: null,
      mode: "start",
      question: { id: "q", content: "Why?" },
    });
    await writeProgress(world.services, { ...place, chatId }, whole("anchor"));
    const indexed = async () =>
      (
        await world.client.execute({
          sql: "SELECT count(*) AS n FROM message_search WHERE message_search MATCH ?",
          args: [`user_id : "${ada.id}" AND content : anchor`],
        })
      ).rows[0]!.n;
    expect(await indexed()).toBe(0);
    await finishAnswer(world.services, { ...place, chatId }, { state: "done" }, whole("anchors", { number: 2 }));
    expect(await titles("anchors")).toEqual(["Why?"]);
    // Going on with it takes it out again, and back in at the end.
    await startAnswer(contextFor(world, ada), {
      ...place,
      runId: "r2",
      chatId,
      model: "m",
      parentId: undefined,
      mode: "continue",
    });
    expect(await titles("anchors")).toEqual([]);
    await finishAnswer(
      world.services,
      { ...place, runId: "r2", chatId },
      { state: "done" },
      whole("anchors and chains"),
    );
    expect(await titles("chains")).toEqual(["Why?"]);
    await world.client.execute("INSERT INTO message_search (message_search, rank) VALUES ('integrity-check', 1)");
  });

  it("gives 60 a page", async () => {
    await world.call("/api/v1/chats/import", {
      as: ada,
      json: Array.from({ length: 65 }, (_, at) => ({ chat: { title: `Boat ${at}` } })),
    });
    const [first, second] = [await search("boat"), await search("boat", ada, 2)];
    expect([first.length, second.length]).toEqual([60, 5]);
    expect(new Set([...first, ...second].map((chat) => chat.id)).size).toBe(65);
  });

  it.each([3, 310])("lists titles by their last change, all of %i once, and messages behind them", async (count) => {
    await world.call("/api/v1/chats/import", {
      as: ada,
      json: Array.from({ length: count }, (_, at) => ({ chat: { title: `Buoy ${at}` } })),
    });
    const own = and(eq(chats.userId, ada.id), like(chats.title, "Buoy %"));
    await world.db
      .update(chats)
      .set({ updatedAt: sql`2000 + number * 7 % 11` })
      .where(own);
    await world.db
      .update(chats)
      .set({ archived: true })
      .where(and(own, eq(chats.title, "Buoy 1")));
    await store("Only its message", "a buoy");
    const listed = await world.db
      .select({ title: chats.title })
      .from(chats)
      .where(and(own, eq(chats.archived, false)))
      .orderBy(desc(chats.updatedAt), desc(chats.id));
    const found: string[] = [];
    for (let page = 1; page <= Math.ceil(count / 60); page++)
      found.push(...(await search("buoy", ada, page)).map(({ title }) => title));
    expect(found).toEqual([...listed.map(({ title }) => title), "Only its message"]);
  });

  it.each(["message_search", "chat_search", "channel_search"])(
    "%s has the beginnings of words, of two to four letters: without them, all words that begin so are joined",
    async (table) => {
      const { rows } = await world.client.execute({
        sql: "SELECT sql FROM sqlite_schema WHERE name = ?",
        args: [table],
      });
      expect(rows[0]!["sql"]).toContain("prefix='2 3 4'");
    },
  );

  it("reads the index by the person's own entries", async () => {
    const { rows } = await world.client.execute(
      "EXPLAIN QUERY PLAN SELECT m.id FROM message_search JOIN messages m ON m.number = message_search.rowid WHERE message_search MATCH 'user_id : \"a\" AND content : b'",
    );
    expect(rows.map((row) => row.detail)).toEqual([
      expect.stringMatching(/SCAN message_search VIRTUAL TABLE/),
      expect.stringMatching(/SEARCH m USING INTEGER PRIMARY KEY/),
    ]);
  });
});

describe("the words of a search", () => {
  it("are quoted for the index, compared by letter, or too many", () => {
    expect(searchWords("red boats")).toMatchObject({
      match: '"red" AND "boats"*',
      whole: '"red" AND "boats"',
      literal: [],
    });
    expect(searchWords("red boat")).toMatchObject({ match: '"red" AND "boat"*', whole: undefined, literal: [] });
    expect(searchWords("red b")).toMatchObject({ match: '"red" AND "b"', whole: undefined, literal: [] });
    expect(searchWords("red 100%")).toMatchObject({ match: '"red" AND "100%"', whole: undefined, literal: ["100%"] });
    expect(searchWords('a"b.js')).toMatchObject({ match: '"a""b.js"*', literal: ['a"b.js'] });
    expect(searchWords("%")).toMatchObject({ match: undefined, whole: undefined, literal: ["%"] });
    expect(searchWords("\u0301")).toMatchObject({ match: undefined, literal: ["\u0301"] });
    expect(searchWords("a⺀")).toMatchObject({ match: undefined, literal: ["a⺀"] });
    expect(searchWords("⺀a東")).toMatchObject({ match: '"東"*', literal: ["⺀a東"] });
    expect(searchWords("港")).toMatchObject({ match: '"港"*', whole: undefined, literal: ["港"], isUnspaced: true });
    expect(searchWords("GPTは東京都 red")).toMatchObject({
      match: '"は東 東京 京都"* AND "red"*',
      literal: ["GPTは東京都"],
      isUnspaced: true,
    });
    expect(searchWords("")).toEqual({ words: [], match: undefined, whole: undefined, literal: [], isUnspaced: false });
    expect(searchWords("a ".repeat(100)).match?.split(" AND ")).toHaveLength(16);
    expect(pairText("GPTは東京都x")).toBe("GPT は東 東京 京都 都 x");
  });
});
