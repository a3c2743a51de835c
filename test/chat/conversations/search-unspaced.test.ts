import path from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readMigrations } from "../../../scripts/migrate/read-migrations.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { startAnswer } from "../../../src/chat/conversations/start-answer.ts";
import { sweepChatSearch } from "../../../src/chat/conversations/sweep-chat-search.ts";
import { finishAnswer, writeProgress } from "../../../src/chat/conversations/write-answer.ts";
import { isUnspaced } from "../../../src/shared/unspaced-scripts.ts";
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

const found = async (text: string) => (await search(text)).map(({ title, snippet }) => [title, snippet]);

it.each([
  ["港", "古い港の町"],
  ["港の町", "古い港の町"],
  ["町", "古い港の町"],
  ["ラーメン", "昨日はラーメンを食べた"],
  ["東京・大阪", "東京・大阪間"],
  ["학교", "우리는 학교에서 배운다"],
  ["ท่าเรือ", "ที่ท่าเรือเก่า"],
  ["ทา", "ทางเรือ"],
  ["部署Docker", "我们部署docker容器"],
  ["容器 Docker", "我们部署Docker容器"],
  ["容器 we", "we 部署容器"],
  ["user_id 容器", "容器的user_id"],
  ["⺀a", "部首⺀a"],
  ["⺀a東", "部首⺀a東"],
])("a text in a script without spaces is found by %s, before and after it is in the index", async (text, content) => {
  const others = ["別の話", "灣", "학생", "ที่", "容", "user id 容器", "a container"];
  await store("Right", ...others, content);
  await store("Wrong", ...others);
  await store(content, "In the title");
  await store("別の話", "In the title");
  const expected = [
    [content, content],
    ["Right", content],
  ];
  expect(await found(text)).toEqual(expected);
  await sweepChatSearch(world.services);
  expect(await found(text)).toEqual(expected);
});

it("such texts do not hide words of other scripts that stand right beside them", async () => {
  await store("Right", "部署docker", "我们部署Docker容器");
  await store("用Docker部署", "我们");
  await store("Wrong", "我们部署容器", "my docked 部署");
  await sweepChatSearch(world.services);
  const expected = [
    ["用Docker部署", "用Docker部署"],
    ["Right", "我们部署Docker容器"],
  ];
  for (const text of ["docker", "Docker"]) expect(await found(text), text).toEqual(expected);
  expect((await found("dock")).slice(1)).toEqual([
    ["Wrong", "my docked 部署"],
    ["Right", "我们部署Docker容器"],
  ]);
});

it("texts from before there was an index wait for it like new ones", async () => {
  await store("題名", "古い港", "a harbour", "Hafen für Fähren");
  const waiting = () => world.db.all(sql`SELECT source, number, owner FROM unpaired_texts ORDER BY source, number`);
  const before = await waiting();
  expect(before.length).toBeGreaterThan(1);
  // What is not there any more holds up nothing.
  await world.db.run(sql`UPDATE unpaired_texts SET number = 1000000 + number`);
  const migrations = readMigrations(path.resolve(import.meta.dirname, "../../../migrations"));
  const { statements } = migrations.find(({ name }) => name === "0086_search-pairs")!;
  await sweepChatSearch(world.services);
  expect(await waiting()).toEqual([]);
  for (const statement of statements.filter(
    (each) => each.includes("INSERT INTO unpaired_texts") && !each.includes("TRIGGER"),
  ))
    await world.client.execute(statement);
  await sweepChatSearch(world.services);
  expect(await titles("港")).toEqual(["題名"]);
  expect(await titles("題名")).toEqual(["題名"]);
  expect(await waiting()).toEqual([]);
});

it("a snippet says where it is cut", async () => {
  const line = (before: number, after: number) => `${"前".repeat(before)}港${"後".repeat(after)}`;
  const cases = [
    [line(0, 159), line(0, 159)],
    [line(40, 119), line(40, 119)],
    [line(0, 160), `${line(0, 159)}…`],
    [line(41, 118), `…${line(40, 118)}`],
    [line(41, 120), `…${line(40, 119)}…`],
  ] as const;
  for (const [text] of cases) await store("Chat", text);
  await sweepChatSearch(world.services);
  expect((await search("港")).map(({ snippet }) => snippet).toReversed()).toEqual(cases.map(([, snippet]) => snippet));
});

it("such texts are found as they are now, and not by others", async () => {
  const id = await store("題名", "古い港");
  const gone = await store("題名", "古い港");
  const [message] = (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada })).body.chat.messages;
  const indexed = () => world.db.all(sql`SELECT number FROM unpaired_texts WHERE owner = ${ada.id}`);
  for (const isIndexed of [false, true]) {
    if (isIndexed) await sweepChatSearch(world.services);
    expect(await indexed()).toHaveLength(isIndexed ? 0 : 4);
    expect(await titles("港")).toHaveLength(2);
    expect(await titles("題名")).toHaveLength(2);
    expect(await titles("港", await world.person())).toEqual([]);
  }
  await world.call(`/api/v1/chats/${gone}`, { as: ada, method: "DELETE" });
  await world.call(`/api/v1/chats/${id}`, { as: ada, json: { chat: { title: "新しい" } } });
  await world.call(`/api/v1/chats/${id}/messages/${message!.id}`, { as: ada, json: { content: "駅の前" } });
  for (const isIndexed of [false, true]) {
    if (isIndexed) await sweepChatSearch(world.services);
    for (const old of ["港", "題名"]) expect(await titles(old), old).toEqual([]);
    for (const now of ["駅", "新しい"]) expect(await titles(now), now).toEqual(["新しい"]);
  }
  await world.call(`/api/v1/chats/${id}/messages/${message!.id}`, { as: ada, method: "DELETE" });
  expect(await titles("駅")).toEqual([]);
  // Numbers of deleted rows are given again: nothing may be left of them.
  const { rows } = await world.client.execute(
    "SELECT id FROM message_pairs_docsize WHERE id NOT IN (SELECT number FROM messages)",
  );
  expect(rows).toEqual([]);
});

it("such texts wait on when they change while they are indexed", async () => {
  const id = await store("Chat", "古い港");
  const [message] = (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada })).body.chat.messages;
  let isChanged = false;
  const batch: typeof world.db.batch = async (statements) => {
    if (!isChanged) {
      isChanged = true;
      await world.call(`/api/v1/chats/${id}/messages/${message!.id}`, { as: ada, json: { content: "駅の前" } });
    }
    return await world.db.batch(statements);
  };
  const db = new Proxy(world.db, {
    get: (target, name) => (name === "batch" ? batch : (Reflect.get(target, name) as unknown)),
  });
  await sweepChatSearch({ db });
  expect(isChanged).toBe(true);
  expect(await titles("港")).toEqual([]);
  expect(await titles("駅")).toEqual(["Chat"]);
});

it("such texts come in steps, however many there are, and an answer when it has ended", async () => {
  await world.call("/api/v1/chats/import", {
    as: ada,
    json: Array.from({ length: 120 }, (_, at) => ({ chat: { title: `船 ${at}` } })),
  });
  const before = await search("船", ada, 2);
  await sweepChatSearch(world.services);
  expect(await search("船", ada, 2)).toEqual(before);
  expect(before).toHaveLength(60);
  const place = { messageId: "a", runId: "r" };
  const { chatId } = await startAnswer(contextFor(world, ada), {
    ...place,
    chatId: undefined,
    model: "m",
    parentId: null,
    mode: "start",
    question: { id: "q", content: "Why?" },
  });
  await writeProgress(world.services, { ...place, chatId }, whole("錨を"));
  await sweepChatSearch(world.services);
  expect(await titles("錨")).toEqual([]);
  await finishAnswer(world.services, { ...place, chatId }, { state: "done" }, whole("錨を上げる", { number: 2 }));
  expect(await titles("上げる")).toEqual(["Why?"]);
  await sweepChatSearch(world.services);
  expect(await titles("上げる")).toEqual(["Why?"]);
});

it("such texts are told from others by the database as by the service", async () => {
  const signs = Array.from({ length: 0x110000 }, (_, at) => at)
    .filter((at) => at > 0x7f && (at < 0xd800 || at > 0xdfff))
    .map((at) => String.fromCodePoint(at))
    .filter(isUnspaced);
  const { rows } = await world.client.execute({
    sql: "SELECT value FROM json_each(?) WHERE NOT ('a' || value || 'b' GLOB (SELECT pattern FROM unspaced))",
    args: [JSON.stringify(signs)],
  });
  expect(rows).toEqual([]);
});
