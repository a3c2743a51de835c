import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settings } from "../../../src/db/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import type { Person, World } from "../../world.ts";
import { createToolWorld, type ToolWorld } from "./scripted-upstream.ts";

/** Does what it is told, tells what it was given, and counts its calls as a plugin that collects would. */
const curious = `
let calls = 0;
export default class Tools {
  /** Asks. */
  async ask(requests: string, __service__: any, __event_call__: any, __event_emitter__: any): Promise<string> {
    const results = [];
    for (const [name, args] of JSON.parse(requests)) {
      const asked = name === "call" ? __event_call__(args) : name === "emit" ? __event_emitter__(args) : __service__.request(name, args);
      results.push(await asked.catch((error) => ({ error: error.message })));
    }
    return JSON.stringify(results);
  }
  /** Tells. */
  tell(__user__: any, __model__: any, __metadata__: any, __messages__: any): string {
    return JSON.stringify({ calls: ++calls, user: __user__, model: __model__, metadata: __metadata__, messages: __messages__ });
  }
}`;

let tools: ToolWorld;
let world: World;
let admin: Person;
let bob: Person;
let ada: Person;

beforeAll(async () => {
  tools = await createToolWorld();
  world = tools.world;
  [admin, bob, ada] = [await world.admin(), await world.person({ name: "Bob" }), await world.person({ name: "Ada" })];
  await world.db.insert(settings).values({
    name: "permissions.default",
    value: { workspace: { tools: true }, sharing: { tools: true, public_tools: true } },
    updatedAt: world.services.now(),
  });
  await make("bobs", bob);
  await make("house", admin);
});
afterAll(() => world.close());

async function make(id: string, as: Person): Promise<void> {
  const sharing = [ada, bob].map(({ id: principal }) => ({
    principal_type: "user",
    principal_id: principal,
    permission: id.endsWith("editable") ? "write" : "read",
  }));
  const json = { id, name: `The ${id}`, content: curious, meta: {}, access_grants: sharing };
  const { status, body } = await world.call("/api/v1/tools/create", { as, json });
  expect([status, body]).toEqual([200, body]);
}

/** What a tool says that the model calls for this person. */
async function use<T>(
  id: string,
  as: Person,
  name: string,
  args: Record<string, string>,
  more: object = {},
): Promise<T> {
  const { asked } = tools.play({ content: "", calls: [{ name, args }] }, { content: "Done." });
  const { status, body } = await world.call("/api/chat/completions", {
    as,
    json: {
      model: "scripted",
      messages: [
        { role: "system", content: "Between us." },
        { role: "user", content: "Go" },
      ],
      tool_ids: [id],
      ...more,
    },
  });
  expect([status, body]).toEqual([200, body]);
  const told = (asked.at(-1)!["messages"] as { role: string; content: string }[]).findLast(
    ({ role }) => role === "tool",
  );
  return JSON.parse(told!.content) as T;
}
const request = (id: string, as: Person, requests: [string, object?][], more: object = {}) =>
  use<unknown[]>(id, as, "ask", { requests: JSON.stringify(requests.map(([name, args = {}]) => [name, args])) }, more);
const refused = { error: expect.stringMatching(/not by an administrator/) };

describe("a tool of somebody else who is not an administrator", () => {
  test("reads nobody but the caller, also for administrators", async () => {
    const [self, other] = await request("bobs", admin, [["user.get"], ["user.get", { id: ada.id }]]);
    expect(self).toMatchObject({ id: admin.id, name: expect.any(String) });
    expect(other).toEqual(refused);
    const [allowed] = await request("house", admin, [["user.get", { id: ada.id }]]);
    expect(allowed).toMatchObject({ id: ada.id, name: "Ada" });
  });

  test("reads the chat that it works in and no other, and calls no other tool", async () => {
    const json = { chat: { title: "Own" } };
    const own = (await world.call<{ id: string }>("/api/v1/chats/new", { as: ada, json })).body.id;
    const requests: [string, object][] = [
      ["chat.get", { id: own }],
      ["tool.call", { name: "tell" }],
    ];
    expect(await request("bobs", ada, requests)).toEqual([refused, refused]);
    expect((await request("house", ada, requests))[0]).toMatchObject({ id: own, title: "Own" });
    const [current] = await request("bobs", ada, [["chat.get"]], { chat_id: own });
    expect(current).toMatchObject({ id: own });
  });

  test("reads and changes none of the caller's files and memories, and may keep what it makes", async () => {
    const made = { name: "a.txt", content_type: "text/plain", base64: btoa("words") };
    const [file] = await request("house", ada, [["file.create", made]]);
    const id = (file as { id: string }).id;
    const refusedAll: [string, object][] = [
      ["file.get", { id }],
      ["file.read", { id }],
      ["file.list", {}],
      ["file.delete", { id }],
      ["memory.list", {}],
      ["memory.query", { content: "x" }],
      ["memory.add", { content: "x" }],
      ["memory.update", { id, content: "x" }],
      ["memory.delete", { id }],
      ["chat.list", {}],
      ["user.list", {}],
      ["tool.list", {}],
      ["function.list", {}],
      ["folder.list", {}],
    ];
    expect(await request("bobs", ada, refusedAll)).toEqual(refusedAll.map(() => refused));
    expect((await request("bobs", ada, [["file.create", made]]))[0]).toMatchObject({ filename: "a.txt" });
    expect((await request("house", ada, [["file.list", {}]]))[0]).toMatchObject({ total: 2 });
  });

  test("has databases for each person, and no pictures, searches or documents", async () => {
    const save = { path: "webui.db", base: 0, writer: "0a1b2c3d-0000", serial: 1, base64: btoa("hers") };
    const load: [string, object] = ["database.load", { path: "webui.db" }];
    expect(await request("bobs", ada, [["database.save", save], load])).toEqual([
      { version: 1 },
      { version: 1, base64: btoa("hers") },
    ]);
    // Neither its author nor an administrator gets at what she has there; an administrator's own tool has one for all.
    for (const person of [bob, admin]) expect(await request("bobs", person, [load])).toEqual([null]);
    await request("house", ada, [["database.save", save]]);
    expect(await request("house", bob, [load])).toEqual([{ version: 1, base64: btoa("hers") }]);
    expect(await request("bobs", bob, [["database.delete", { path: "webui.db" }]])).toEqual([true]);
    expect(await request("bobs", ada, [load])).toEqual([{ version: 1, base64: btoa("hers") }]);
    const media: [string, object][] = [
      ["image.create", { prompt: "x" }],
      ["image.edit", { prompt: "x", image: "/api/v1/files/x/content" }],
      ["web.search", { queries: ["x"] }],
      ["collection.query", { collection_names: ["file-x"], query: "x" }],
    ];
    expect(await request("bobs", ada, media)).toEqual(media.map(() => refused));
  });

  test("sees only models that the caller may use as a member", async () => {
    const json = { id: "hidden", name: "Hidden", base_model_id: "scripted", meta: {}, params: { system: "Secret" } };
    const other = await world.person();
    await world.db.update(users).set({ role: "admin" }).where(eq(users.id, other.id));
    expect((await world.call("/api/v1/models/create", { as: other, json })).status).toBe(200);
    const ids = async (id: string) =>
      ((await request(id, admin, [["model.list"]])) as { id: string }[][])[0]!.map((model) => model.id);
    expect(await ids("house")).toContain("hidden");
    expect(await ids("bobs")).not.toContain("hidden");
    const told = await use<{ model: { info: { params: object } } }>("bobs", admin, "tell", {}, { model: "hidden" });
    expect(JSON.stringify(told)).not.toMatch(/Secret|Between us/);
    expect(JSON.stringify(await use("house", admin, "tell", {}, { model: "hidden" }))).toMatch(/Secret/);
  });

  test("says in its questions whose it is, and cannot ask for a password", async () => {
    world.live.asked.length = 0;
    world.live.answerWith = true;
    const confirmation = { type: "confirmation", data: { title: "Sure?" } };
    const password = { type: "input", data: { title: "Sign in again", type: " Password" } };
    const requests: [string, object][] = [
      ["call", confirmation],
      ["call", password],
    ];
    const [yes, no] = await request("bobs", ada, requests);
    expect([yes, no]).toEqual([true, { error: expect.stringMatching(/password/) }]);
    const by = { family: "tool", id: "bobs", name: "The bobs", maker: "Bob" };
    expect(world.live.asked.map(({ event }) => event.by)).toEqual([by]);
    // One's own tool, and an administrator's, may ask.
    await request("bobs", bob, requests);
    await request("house", ada, requests);
    expect(world.live.asked.slice(1).map(({ event }) => [event.by?.id, event.by?.maker])).toEqual([
      ["bobs", null],
      ["bobs", null],
      ["house", null],
      ["house", null],
    ]);
  });

  test("keeps nothing of one person for the next", async () => {
    const calls = async (id: string, as: Person) => (await use<{ calls: number }>(id, as, "tell", {})).calls;
    expect([await calls("bobs", ada), await calls("bobs", ada), await calls("bobs", bob)]).toEqual([
      expect.any(Number),
      expect.any(Number),
      1,
    ]);
    const first = await calls("house", ada);
    expect(await calls("house", bob)).toBe(first + 1);
  });

  test("a test run by an administrator has no more rights", async () => {
    const json = { method: "ask", args: { requests: JSON.stringify([["user.get", { id: ada.id }]]) }, answers: [] };
    const run = async (id: string) =>
      (await world.call<{ value: string }>(`/api/v1/tools/id/${id}/try`, { as: admin, json })).body.value;
    expect(JSON.parse(await run("bobs"))).toEqual([refused]);
    expect(JSON.parse(await run("house"))).toEqual([expect.objectContaining({ id: ada.id })]);
  });
});

test("who wrote the current version counts, and what they are now", async () => {
  await make("editable", admin);
  const known = async () => {
    const { body } = await world.call<{ id: string; trusted: boolean; maker: object }[]>("/api/v1/tools/", { as: ada });
    return body.flatMap(({ id, trusted, maker }) => (id === "editable" ? [trusted, maker] : []));
  };
  expect(await known()).toEqual([true, expect.objectContaining({ id: admin.id })]);
  const write = async (as: Person, content: string) =>
    expect((await world.call("/api/v1/tools/id/editable/update", { as, json: { content } })).status).toBe(200);
  await write(ada, `${curious}// Ada`);
  expect(await known()).toEqual([false, { id: ada.id, name: "Ada" }]);
  expect(await request("editable", admin, [["user.get", { id: bob.id }]])).toEqual([refused]);
  await write(admin, curious);
  expect(await known()).toEqual([true, expect.objectContaining({ id: admin.id })]);
  await world.db.update(users).set({ role: "user" }).where(eq(users.id, admin.id));
  expect(await known()).toEqual([false, expect.objectContaining({ id: admin.id })]);
  await world.db.update(users).set({ role: "admin" }).where(eq(users.id, admin.id));
});
