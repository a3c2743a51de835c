import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/id.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import { messages } from "../../../src/stored-chats/tables.ts";
import { answered, question, useFilterWorld } from "./filter-world.ts";
import { install } from "./install.ts";

const here = useFilterWorld();
const action = (body: string) => `export class Action { ${body} }`;
const press = <T = Record<string, unknown>>(id: string, more: object = {}, as = here.ada) =>
  here.world.call<T>(`/api/chat/actions/${id}`, { as, json: { model: "openai", messages: [], ...more } });

async function begunChat() {
  const chatId = await here.newChat();
  await here.ask({ chat_id: chatId });
  await here.world.settled();
  const [asking, answer] = await here.shown(chatId);
  return { chat_id: chatId, id: answer!.id, asking: asking!.id };
}

describe("buttons under messages", () => {
  it("are listed with the model: one for each of those that the plugin declares", async () => {
    await install(here.world, { id: "single", name: "Translate", source: action("action() {}") });
    await install(here.world, {
      id: "several",
      source: `${action(`actions = [{ id: "up", name: "Louder", icon_url: "https://icons.example/up.svg" }, { id: "down", name: "Quieter" }]; action() {}`)}
        export class Valves { priority = -1 }`,
    });
    await install(here.world, { id: "elsewhere", source: action("action() {}"), isGlobal: false });
    const { body } = await here.world.call<{ data: ModelEntry[] }>("/api/models", { as: here.ada });
    expect(body.data[0]!.actions).toEqual([
      { id: "several.up", name: "Louder", description: "What several does", icon: "https://icons.example/up.svg" },
      { id: "several.down", name: "Quieter", description: "What several does", icon: null },
      { id: "single", name: "Translate", description: "What single does", icon: null },
    ]);
    expect((await press("elsewhere")).status).toBe(404);
  });

  it("answer with what the action returns, and tell it which one was pressed", async () => {
    await install(here.world, {
      id: "echo",
      source: action(`actions = [{ id: "a.b", name: "A" }];
        action(body, __id__, __user__, __model__, __event_emitter__) { return { body, id: __id__, user: __user__.name, model: __model__.id } }`),
    });
    const sent = { messages: question, chat_id: "temporary:1", id: "m", session_id: "s", more: { x: 1 } };
    expect(await press("echo.a.b", sent)).toMatchObject({
      status: 200,
      body: { body: { model: "openai", ...sent }, id: "a.b", user: "Ada", model: "openai" },
    });
    expect((await press<{ id: string }>("echo")).body.id).toBe("echo");
    await install(here.world, { id: "quiet", source: action("action() {}") });
    expect(await press("quiet")).toMatchObject({ status: 200, body: null });
  });

  it("change the message, keep what it was, and tell the tabs", async () => {
    const { chat_id, id, asking } = await begunChat();
    await install(here.world, {
      id: "shout",
      source: action(`action(body) { return { content: body.messages.at(-1).content.toUpperCase() } }`),
    });
    const messages = [
      { id: asking, ...question[0] },
      { id, role: "assistant", content: answered },
    ];
    expect((await press("shout", { chat_id, id, messages })).status).toBe(200);
    expect(await here.shown(chat_id)).toMatchObject([
      { content: question[0]!.content },
      { content: answered.toUpperCase(), originalContent: answered },
    ]);
    expect(here.published("chat:message")).toMatchObject([
      { chat_id, message_id: id, data: { data: { content: answered.toUpperCase() } } },
    ]);
    await install(here.world, {
      id: "both",
      source: action(
        `action(body) { body.messages[0].content = "Capital?"; body.messages.push({ id: "not-there", content: "x" }); return body }`,
      ),
    });
    await press("both", { chat_id, id, messages });
    // What is only handed back as it was sent stays as it is stored.
    expect(await here.shown(chat_id)).toMatchObject([
      { content: "Capital?", originalContent: question[0]!.content },
      { content: answered.toUpperCase(), originalContent: answered },
    ]);
  });

  it("do not write over an answer that is being written", async () => {
    const { chat_id, id } = await begunChat();
    await install(here.world, { id: "shout", source: action(`action() { return { content: "LOUD" } }`) });
    await here.world.db.update(messages).set({ state: "streaming" }).where(eq(messages.chatId, chat_id));
    expect((await press("shout", { chat_id, id })).status).toBe(200);
    expect((await here.shown(chat_id)).at(-1)).toMatchObject({ content: answered });
    expect(here.published("chat:message")).toEqual([]);
  });

  it("send events to the message that they stand under", async () => {
    const { chat_id, id } = await begunChat();
    await install(here.world, {
      id: "telling",
      source: action(`async action(body, __event_emitter__, __event_call__) {
        await __event_emitter__({ type: "status", data: { description: "Looking", done: true } });
        return await __event_call__({ type: "confirmation", data: { title: "Sure?", message: "" } }).catch((error) => error.message);
      }`),
    });
    const { body } = await press("telling", { chat_id, id });
    expect(body).toEqual(expect.stringMatching(/tab/i));
    expect((await here.shown(chat_id)).at(-1)).toMatchObject({
      statusHistory: [{ description: "Looking", done: true }],
    });
  });

  it("fail in the action's own words", async () => {
    await install(here.world, { id: "broken", source: action(`action() { throw new Error("no ink") }`) });
    expect(await press("broken")).toMatchObject({ status: 400, body: { code: "plugin_failed", detail: "no ink" } });
    await install(here.world, {
      id: "forbidding",
      source: action(`action() { throw Object.assign(new Error("not for you"), { status: 403 }) }`),
    });
    expect((await press("forbidding")).status).toBe(403);
  });

  it("are there only for one's own messages, with a model that one may use", async () => {
    const { chat_id, id } = await begunChat();
    const bob = await here.world.person({ name: "Bob" });
    await install(here.world, { id: "shout", source: action(`action() { return { content: "STOLEN" } }`) });
    expect((await press("shout", { chat_id, id }, bob)).status).toBe(404);
    expect((await press("shout", { chat_id: newId(), id })).status).toBe(404);
    expect((await press("shout", { chat_id, id: "nothing" })).status).toBe(404);
    expect((await press("shout", { chat_id, id, model: "nowhere" })).status).toBe(404);
    for (const unknown of ["shout.up", "sho", "shout.", "%20", "constructor"])
      expect((await press(unknown)).status).toBe(404);
    expect((await here.world.call("/api/chat/actions/shout", { as: here.ada, json: { messages: [] } })).status).toBe(
      422,
    );
    expect((await here.shown(chat_id)).at(-1)!.content).toBe(answered);
  });
});
