import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { ChatResponse } from "../../src/chat/conversations/schema.ts";
import { newId } from "../../src/lib/id.ts";
import { factoryPermissions } from "../../src/people/permissions.ts";
import { createWorld, type Person, type World } from "../world.ts";

let world: World;
let admin: Person;
let ada: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  // A second model that needs no provider: one that stands on the guide.
  const made = { id: "pilot", name: "Pilot", base_model_id: "parley-guide", params: {}, meta: {} };
  const everyone = [{ principal_type: "user", principal_id: "*", permission: "read" }];
  const { status } = await world.call("/api/v1/models/create", {
    as: admin,
    json: { ...made, access_grants: everyone },
  });
  if (status !== 200) throw new Error(`the model was answered with ${status}`);
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  world.live.runs.length = 0;
});

interface Started {
  task_ids: string[];
  chat_id: string;
  error?: { code: string; param: string };
}

const turn = (body: Record<string, unknown>, as = ada) =>
  world.call<Started>("/api/chat/completions", {
    as,
    json: { model: "parley-guide", stream: true, session_id: "s", ...body },
  });

const question = () => ({ id: newId(), parentId: null, content: "Hi" });
const both = (one = newId(), other = newId()) => [
  { model_id: "parley-guide", message_id: one },
  { model_id: "pilot", message_id: other },
];
const read = async (id: string) => (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as: ada })).body;

describe("a question to several models", () => {
  it("makes one chat with an answer of each below the question, and shows the first", async () => {
    const asked = question();
    const wanted = both();
    const { status, body } = await turn({
      message_ids: wanted,
      parent_id: null,
      user_message: asked,
      params: { temperature: 0.5 },
    });
    expect(status).toBe(200);
    expect(new Set(body.task_ids).size).toBe(2);
    expect(
      world.live.runs.map(({ model, messageId, runId, generateTitle }) => [model, messageId, runId, generateTitle]),
    ).toEqual([
      ["parley-guide", wanted[0]!.message_id, body.task_ids[0], true],
      ["pilot", wanted[1]!.message_id, body.task_ids[1], false],
    ]);
    for (const run of world.live.runs)
      expect(run.body).toMatchObject({ messages: [{ role: "user", content: "Hi" }], params: { temperature: 0.5 } });
    const { chat, current_message_id: shown } = await read(body.chat_id);
    expect(chat.models).toEqual(["parley-guide", "pilot"]);
    expect(chat.params).toEqual({ temperature: 0.5 });
    expect(shown).toBe(wanted[0]!.message_id);
    expect(chat.history.messages[asked.id]).toMatchObject({
      childrenIds: wanted.map((each) => each.message_id),
      models: ["parley-guide", "pilot"],
    });
    expect(Object.keys(chat.history.messages)).toHaveLength(3);
  });

  it("is the same runs when it is repeated", async () => {
    const body = { message_ids: both(), parent_id: null, user_message: question() };
    const first = await turn(body);
    expect((await turn(body)).body).toEqual(first.body);
    expect(world.live.runs).toHaveLength(2);
  });

  it("goes on in a chat, named as an object too, and below a stored question", async () => {
    const first = await turn({ id: newId(), parent_id: null, user_message: question() });
    const [next, one, other] = [newId(), newId(), newId()];
    const parent = world.live.runs[0]!.messageId;
    const { body } = await turn({
      chat_id: first.body.chat_id,
      message_ids: { "parley-guide": one, pilot: other },
      user_message: { id: next, parentId: parent, content: "More" },
    });
    expect(body.chat_id).toBe(first.body.chat_id);
    const again = both();
    expect((await turn({ chat_id: body.chat_id, message_ids: again, parent_id: next })).status).toBe(200);
    const { chat, current_message_id: shown } = await read(body.chat_id);
    expect(chat.history.messages[next]!.childrenIds).toEqual([one, other, ...again.map((each) => each.message_id)]);
    expect(shown).toBe(again[0]!.message_id);
  });

  it("is what one answer is when only one is named", async () => {
    const id = newId();
    const { body } = await turn({
      model: "no-such-model",
      message_ids: { pilot: id },
      parent_id: null,
      user_message: question(),
    });
    expect(world.live.runs).toMatchObject([{ model: "pilot", messageId: id, runId: body.task_ids[0] }]);
  });

  test.each([
    ["an unknown model among them", { message_ids: { "parley-guide": "a", nothing: "b" } }, 404],
    ["no model", { message_ids: {} }, 422],
    ["a list of nothing", { message_ids: [] }, 422],
    ["more than can be compared", { message_ids: Object.fromEntries([..."abcdefg"].map((id) => [id, id])) }, 422],
    ["one id for two", { message_ids: both("same", "same") }, 422],
    ["an id that is none", { message_ids: { "parley-guide": "with blank", pilot: "b" } }, 422],
    ["a list of something else", { message_ids: ["parley-guide", "pilot"] }, 422],
    ["no session", { message_ids: both(), session_id: null }, 422],
    ["no question", { message_ids: both(), user_message: null, parent_id: null }, 422],
    ["an answer that goes on", { message_ids: both(), continue: true }, 422],
  ])("stores nothing for %s", async (_, body, status) => {
    const asked = { parent_id: null, user_message: question() };
    expect((await turn({ ...asked, ...body })).status).toBe(status);
    expect(world.live.runs).toEqual([]);
    expect((await world.call<unknown[]>("/api/v1/chats/", { as: ada })).body).toEqual([]);
  });

  it("needs the right to compare", async () => {
    await allow({ multiple_models: false });
    const refused = await turn({ message_ids: both(), parent_id: null, user_message: question() });
    expect(refused.status).toBe(403);
    expect((await turn({ message_ids: { pilot: newId() }, parent_id: null, user_message: question() })).status).toBe(
      200,
    );
  });
});

/** What everyone may do in chats, until the test is over. */
async function allow(chat: Partial<typeof factoryPermissions.chat>): Promise<void> {
  const json = { chat: { ...factoryPermissions.chat, ...chat } };
  const { status } = await world.call("/api/v1/users/default/permissions", { as: admin, json });
  if (status !== 200) throw new Error(`the permissions were answered with ${status}`);
}
afterEach(() => allow({}));

describe("people who may only have temporary chats", () => {
  it("keep nothing, in whatever way, and can still talk", async () => {
    const before = await turn({ id: newId(), parent_id: null, user_message: question() });
    await allow({ temporary_enforced: true, temporary: false });
    const chatId = before.body.chat_id;
    const path = `/api/v1/chats/${chatId}`;
    const message = { id: "m", parentId: null, role: "user", content: "Kept?" };
    const history = { currentId: "m", messages: { m: message } };
    const last = { messages: [{ role: "user", content: "Hi" }] };
    for (const [address, json] of [
      ["/api/chat/completions", { model: "parley-guide", session_id: "s", id: newId(), user_message: question() }],
      ["/api/chat/completions", { model: "parley-guide", chat_id: chatId, ...last }],
      ["/api/v1/chats/new", { chat: { history } }],
      ["/api/v1/chats/import", { chats: [{ chat: { history } }] }],
      [path, { chat: { history } }],
      [`${path}/clone`, {}],
    ] as const)
      expect([address, (await world.call(address, { as: ada, json })).status]).toEqual([address, 403]);
    expect((await world.call(path, { as: ada, json: { chat: { title: "Still mine" } } })).status).toBe(200);
    const said = { model: "parley-guide", chat_id: "temporary:1", ...last };
    expect((await world.call("/api/chat/completions", { as: ada, json: said })).status).toBe(200);
    expect(Object.keys((await read(chatId)).chat.history.messages)).toHaveLength(2);
  });

  it("are never administrators", async () => {
    await allow({ temporary_enforced: true });
    expect((await turn({ id: newId(), parent_id: null, user_message: question() }, admin)).status).toBe(200);
  });
});

test("a temporary chat needs the right to it", async () => {
  await allow({ temporary: false });
  const json = { model: "parley-guide", chat_id: "temporary:1", messages: [{ role: "user", content: "Hi" }] };
  expect((await world.call("/api/chat/completions", { as: ada, json })).status).toBe(403);
});

test("parameters of a chat count as far as the person may use them now", async () => {
  const params = { system: "Be brief", temperature: 0.5 };
  const first = await turn({ id: newId(), parent_id: null, user_message: question(), params });
  await allow({ system_prompt: false });
  const more = { chat_id: first.body.chat_id, id: newId(), user_message: { id: newId(), content: "More" } };
  expect((await turn(more)).status).toBe(200);
  expect(world.live.runs[1]!.body["params"]).toEqual({ temperature: 0.5 });
  await allow({ params: false });
  expect((await turn({ ...more, id: newId(), user_message: { id: newId(), content: "More" } })).status).toBe(200);
  expect(world.live.runs[2]!.body["params"]).toEqual({ system: "Be brief" });
});
