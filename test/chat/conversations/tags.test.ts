import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChatResponse, ChatSummary, CountedTag, FoundChat, Tag } from "../../../src/chat/conversations/schema.ts";
import { postEvent } from "../../../src/chat/events/post-event.ts";
import { newId } from "../../../src/lib/id.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "./context-for.ts";

const base = "/api/v1/chats";
let world: World;
let ada: Person;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.published.length = 0;
});

async function store(title: string, tags: string[] = [], as = ada): Promise<string> {
  const messages = [{ id: "u1", parentId: null, role: "user", content: `About ${title}` }];
  const { body } = await world.call<ChatResponse>(`${base}/new`, { as, json: { chat: { title, tags, messages } } });
  return body.id;
}
const names = (tags: readonly { name: string }[]) => tags.map(({ name }) => name);
const titles = (chats: readonly { title: string }[]) => chats.map(({ title }) => title).sort();
const add = async (id: string, name: string, as = ada) =>
  world.call<Tag[]>(`${base}/${id}/tags`, { as, json: { name } });
const ask = async <T>(path: string, as = ada) => (await world.call<T>(`${base}${path}`, { as })).body;
const tagged = async (json: object, as = ada) =>
  titles((await world.call<ChatSummary[]>(`${base}/tags`, { as, json })).body);

describe("a tag", () => {
  it("is shown with the chat wherever the chat is listed or found", async () => {
    const id = await store("Tides", ["sea", "Deep Sea"]);
    for (const list of ["", "/", "/list", "/?include_pinned=true"])
      expect((await ask<ChatSummary[]>(list)).map(({ tags }) => tags)).toEqual([["Deep Sea", "sea"]]);
    expect((await ask<FoundChat[]>("/search?text=tides"))[0]!.tags).toEqual(["Deep Sea", "sea"]);
    await world.call(`${base}/${id}/pin`, { as: ada, method: "POST" });
    expect((await ask<ChatSummary[]>("/pinned"))[0]!.tags).toEqual(["Deep Sea", "sea"]);
    await world.call(`${base}/${id}/archive`, { as: ada, method: "POST" });
    expect((await ask<ChatSummary[]>("/archived"))[0]!.tags).toEqual(["Deep Sea", "sea"]);
  });

  it("is the same in upper and lower case, and written as it was first", async () => {
    const [one, two] = [await store("One"), await store("Two")];
    await add(one, "Work");
    expect(names((await add(two, "WORK")).body)).toEqual(["Work"]);
    expect(names((await add(two, "work")).body)).toEqual(["Work"]);
    expect(await ask<CountedTag[]>("/all/tags")).toEqual([
      { id: "work", name: "Work", user_id: ada.id, meta: null, count: 2 },
    ]);
    const removed = await world.call<Tag[]>(`${base}/${two}/tags`, {
      as: ada,
      json: { name: "wORK" },
      method: "DELETE",
    });
    expect(removed.body).toEqual([]);
    const bob = await world.person();
    expect(names((await add(await store("His", [], bob), "work", bob)).body)).toEqual(["work"]);
  });

  it("tells the open tabs, once for each change", async () => {
    const id = await store("Tides");
    await world.settled();
    world.live.published.length = 0;
    await add(id, "sea");
    await add(id, "sea");
    await world.call(`${base}/${id}/tags/all`, { as: ada, method: "DELETE" });
    await world.settled();
    const told = world.live.published.filter(({ event }) => event.data.type === "chat:tags");
    expect(told).toMatchObject([
      { userId: ada.id, event: { chat_id: id, data: { data: ["sea"] } } },
      { userId: ada.id, event: { chat_id: id, data: { data: [] } } },
    ]);
  });

  it("of another person is neither seen nor changed", async () => {
    const id = await store("Tides", ["sea"]);
    const bob = await world.person();
    await store("His", ["sea"], bob);
    const refused = [
      await add(id, "mine", bob),
      await world.call(`${base}/${id}/tags`, { as: bob, json: { name: "sea" }, method: "DELETE" }),
      await world.call(`${base}/${id}/tags/all`, { as: bob, method: "DELETE" }),
      await world.call(`${base}/${newId()}/tags`, { as: ada, json: { name: "x" } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await tagged({ name: "sea" }, bob)).toEqual(["His"]);
    expect(names(await ask<Tag[]>(`/${id}/tags`))).toEqual(["sea"]);
    expect(await ask<CountedTag[]>("/all/tags", bob)).toMatchObject([{ name: "sea", count: 1 }]);
  });

  it.each([[{ name: "" }], [{ name: "  " }], [{ name: "x".repeat(101) }], [{ name: 1 }], [{}], [[]]])(
    "cannot be %j",
    async (json) => {
      const id = await store("Tides");
      expect((await world.call(`${base}/${id}/tags`, { as: ada, json })).status).toBe(422);
      expect(await ask<Tag[]>(`/${id}/tags`)).toEqual([]);
    },
  );

  it("is one of at most 100 of a chat, also when many are added at once", async () => {
    const id = await store("Tides");
    await Promise.all(Array.from({ length: 103 }, (_, at) => add(id, `tag ${at}`)));
    expect(await ask<Tag[]>(`/${id}/tags`)).toHaveLength(100);
    const refused = await add(id, "one more");
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: "limit_reached" })]);
    const [known] = await ask<Tag[]>(`/${id}/tags`);
    expect((await add(id, known!.name.toUpperCase())).status).toBe(200);
  });

  it("with broken characters is stored as whole text", async () => {
    const id = await store("Tides");
    const { body } = await add(id, "sea \ud800 \u0000 %_\\'");
    expect(body).toHaveLength(1);
    expect(await tagged({ name: body[0]!.name })).toEqual(["Tides"]);
    expect(body[0]!.name.isWellFormed()).toBe(true);
  });

  it("that an older version of the service stored has its owner too", async () => {
    const id = await store("Tides");
    await world.client.execute({ sql: "INSERT INTO chat_tags (chat_id, name) VALUES (?, 'old')", args: [id] });
    expect(await tagged({ name: "old" })).toEqual(["Tides"]);
  });
});

describe("chats with a tag", () => {
  it("are listed by its name or its id, by pages or as many as are wanted", async () => {
    for (let at = 0; at < 5; at++) await store(`Sea ${at}`, ["Deep Sea"]);
    await store("Land", ["land"]);
    const all = ["Sea 0", "Sea 1", "Sea 2", "Sea 3", "Sea 4"];
    for (const name of ["Deep Sea", "deep sea", "deep_sea"]) expect(await tagged({ name })).toEqual(all);
    const parts = [
      await tagged({ name: "deep_sea", limit: 2 }),
      await tagged({ name: "deep_sea", skip: 2, limit: 50 }),
    ];
    expect(parts.map(({ length }) => length)).toEqual([2, 3]);
    expect(parts.flat().sort()).toEqual(all);
    expect(await tagged({ name: "deep_sea", page: 2 })).toEqual([]);
    expect(await tagged({ name: "unknown" })).toEqual([]);
    for (const list of ["/?tag=land", "/list?tag=land&page=1"])
      expect(titles(await ask<ChatSummary[]>(list))).toEqual(["Land"]);
    expect((await world.call(`${base}/tags`, { as: ada, json: { name: "x", limit: 0 } })).status).toBe(422);
  });

  it("are found by words and tags together, and by tags alone", async () => {
    await store("Tides of Lisbon", ["sea", "Portugal"]);
    await store("Tides of Bergen", ["sea"]);
    await store("Trams of Lisbon", ["Portugal"]);
    const found = async (query: string) => titles(await ask<FoundChat[]>(`/search?${query}`));
    expect(await found("text=tides&tag=portugal")).toEqual(["Tides of Lisbon"]);
    expect(await found("text=tag:sea%20lisbon")).toEqual(["Tides of Lisbon"]);
    expect(await found("text=tag:sea%20tag:PORTUGAL")).toEqual(["Tides of Lisbon"]);
    expect(await found("text=tag:sea")).toEqual(["Tides of Bergen", "Tides of Lisbon"]);
    expect(await found("tag=Portugal")).toEqual(["Tides of Lisbon", "Trams of Lisbon"]);
    expect(await found("text=tag:unknown")).toEqual([]);
    // The letters of a script without spaces are compared one by one.
    await store("潮汐", ["sea"]);
    expect(await found(`text=${encodeURIComponent("潮汐")}&tag=sea`)).toEqual(["潮汐"]);
    expect(await found(`text=${encodeURIComponent("潮汐")}&tag=portugal`)).toEqual([]);
    const [first] = await ask<FoundChat[]>("/search?tag=portugal");
    expect(first).toMatchObject({ snippet: "", message_id: null });
  });

  it("keep their tags in a copy", async () => {
    const id = await store("Tides", ["sea"]);
    const copy = await world.call<ChatResponse>(`${base}/${id}/clone`, { as: ada, json: {} });
    expect(copy.body.chat.tags).toEqual(["sea"]);
    expect(await tagged({ name: "sea" })).toEqual(["Clone of Tides", "Tides"]);
  });
});

describe("an event `chat:tags`", () => {
  it("sets the tags of the chat, in whatever case", async () => {
    const id = await store("Tides", ["sea", "old"]);
    await postEvent(contextFor(world, ada), id, "u1", { type: "chat:tags", data: ["SEA", "new", "New"] });
    expect(names(await ask<Tag[]>(`/${id}/tags`))).toEqual(["new", "sea"]);
    expect(await tagged({ name: "new" })).toEqual(["Tides"]);
  });
});
