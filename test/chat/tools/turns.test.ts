import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AnswerText } from "../../../src/chat/answer-text.ts";
import type { ChatResponse } from "../../../src/chat/conversations/schema.ts";
import { runTurn } from "../../../src/chat/run-turn.ts";
import { sweep } from "../../../src/compose/sweep.ts";
import { newId } from "../../../src/lib/id.ts";
import { messageItems } from "../../../src/stored-chats/tables.ts";
import { origin, type Person, type World } from "../../world.ts";
import { createToolWorld, type ToolWorld } from "./scripted-upstream.ts";

let tools: ToolWorld;
let world: World;
let grace: Person;
let ada: Person;
beforeAll(async () => {
  tools = await createToolWorld({ TOOL_RESULT_LIMIT: "1000" });
  world = tools.world;
  grace = await world.admin();
  ada = await world.person();
  await makeTool("kit", everyone);
  await makeTool("secret", []);
});
afterAll(() => world.close());
beforeEach(() => {
  world.live.published.length = 0;
  world.live.runs.length = 0;
});

const everyone = [{ principal_type: "user", principal_id: "*", permission: "read" }];
const source = `
/** title: Kit */
class UserValves {
  /** How people are called. */
  greeting: string = "Hello";
}
export default class Tools {
  /**
   * Says hello.
   * @param name whom to
   */
  hello(name: string, __user__: any): string {
    return __user__.valves.greeting + " " + name + " from " + __user__.name;
  }
  /** A list of things. */
  things(): unknown { return [{ a: 1 }, null]; }
  /** Nothing at all. */
  nothing(): void {}
  /** Text in pieces. */
  *pieces() { yield "one "; yield "two"; }
  /** Fails. */
  fails(): string { throw new Error("It is broken"); }
  /** A long text. */
  long(): string { return "x".repeat(5000); }
  /** Reports and says something. */
  async report(__event_emitter__: any) {
    await __event_emitter__({ type: "status", data: { description: "Looking", done: false } });
    await __event_emitter__({ type: "message", data: { content: "[seen]" } });
    return "reported";
  }
  /** A page. */
  page(): unknown { return ["<b>hi</b>", { "Content-Type": "text/html", "Content-Disposition": "inline" }]; }
  /** Never ends. */
  forever() { return new Promise(() => undefined); }
}
`;

async function makeTool(id: string, grants: object[]): Promise<void> {
  const { status, body } = await world.call("/api/v1/tools/create", {
    as: grace,
    json: { id, name: id === "kit" ? "Kit" : id, content: source, meta: {}, access_grants: grants },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

const question = { role: "user", content: "Hello" };
const complete = (json: object, as: Person = ada) =>
  world.call<{ choices: { message: { content: string } }[]; usage: object }>("/api/chat/completions", {
    as,
    json: { model: "scripted", messages: [question], ...json },
  });
const toolMessages = (body: Record<string, unknown> | undefined) =>
  (body!["messages"] as Record<string, unknown>[]).filter(({ role }) => role === "tool").map(({ content }) => content);

describe("a direct call", () => {
  it("runs the tools of a plugin and answers with one completion", async () => {
    const { asked } = tools.play(
      {
        content: "Wait.",
        calls: ["hello", "things", "nothing", "pieces", "fails"].map((name) => ({ name, args: { name: "Bob" } })),
      },
      { content: "Done." },
    );
    const { status, body } = await complete({ tool_ids: ["kit"] });
    expect(status).toBe(200);
    expect(body.choices[0]!.message.content).toBe("Wait.\n\nDone.");
    expect(toolMessages(asked[1])).toEqual([
      "Hello Bob from Ada",
      '[{"a":1},null]',
      "(The tool returned no result)",
      "one two",
      "Error: It is broken",
    ]);
    expect(asked[0]!["tools"]).toContainEqual({
      type: "function",
      function: {
        name: "hello",
        description: "Says hello.",
        parameters: expect.objectContaining({ properties: { name: expect.objectContaining({ type: "string" }) } }),
      },
    });
    expect(asked[0]).not.toHaveProperty("tool_ids");
  });

  it("gives tools what the person has set for themselves", async () => {
    await world.call("/api/v1/tools/id/kit/valves/user/update", { as: ada, json: { greeting: "Ahoy" } });
    const { asked } = tools.play({ calls: [{ name: "hello", args: { name: "Bob" } }] }, { content: "Done." });
    await complete({ tool_ids: ["kit"] });
    expect(toolMessages(asked[1])).toEqual(["Ahoy Bob from Ada"]);
  });

  it("is a stream that the openai client puts together", async () => {
    tools.play({ content: "Wait.", calls: [{ name: "pieces" }] }, { content: "Done.", finish: "length" });
    const client = new OpenAI({
      apiKey: ada.token,
      baseURL: `${origin}/api`,
      fetch: async (input, init) => world.app.fetch(new Request(input as string, init as RequestInit), world.services),
    });
    const stream = client.chat.completions.stream({
      model: "scripted",
      messages: [{ role: "user", content: "Hello" }],
      tool_ids: ["kit"],
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices).toMatchObject([
      { message: { content: "Wait.\n\nDone.", role: "assistant" }, finish_reason: "length" },
    ]);
    expect(final.choices[0]!.message.tool_calls ?? []).toEqual([]);
  });

  it.each(["secret", "unknown", "server:unknown", "server:mcp:unknown", "builtin:time", ""])(
    "goes on without %j, which is not there for this person",
    async (id) => {
      const { asked } = tools.play({ content: "Hi" });
      const { status, body } = await complete({ tool_ids: [id] });
      expect([status, body.choices[0]!.message.content]).toEqual([200, "Hi"]);
      expect(asked[0]).not.toHaveProperty("tools");
    },
  );

  it("has the tools of a model, unless the request says otherwise", async () => {
    const made = await world.call("/api/v1/models/create", {
      as: grace,
      json: {
        id: "armed",
        base_model_id: "scripted",
        name: "Armed",
        meta: { toolIds: ["kit"] },
        params: {},
        access_grants: everyone,
      },
    });
    expect(made.status).toBe(200);
    const names = async (more: object) => {
      const { asked } = tools.play({ content: "Hi" });
      expect((await complete({ model: "armed", ...more })).status).toBe(200);
      return ((asked[0]!["tools"] ?? []) as unknown[]).length;
    };
    expect(await names({})).toBe(9);
    expect(await names({ tool_ids: [] })).toBe(0);
    expect(await names({ tools: [] })).toBe(0);
  });

  it("costs nothing where there are no tools", async () => {
    tools.play({ content: "Hi" });
    await complete({});
    await world.settled();
    for (const [more, trips] of [
      [{}, 1],
      [{ tool_ids: [] }, 1],
      [{ tool_ids: ["kit"], tools: [] }, 1],
      // What the person has set for themselves.
      [{ tool_ids: ["kit"] }, 2],
    ] as const) {
      world.roundTrips.reset();
      await complete(more);
      expect(world.roundTrips.count).toBe(trips);
      await world.settled();
    }
  });
});

async function newChat(as: Person = ada): Promise<string> {
  return (await world.call<{ id: string }>("/api/v1/chats/new", { as, json: { chat: { title: "Tools" } } })).body.id;
}
/** What is kept of a message beside its text, of one kind and in order. */
const itemsOf = async (messageId: string, kind: (typeof messageItems.$inferSelect)["kind"] = "tool") => {
  const rows = await world.db.select().from(messageItems).orderBy(messageItems.number);
  return rows.filter((row) => row.messageId === messageId && row.kind === kind).map(({ data }) => data);
};
const readChat = async (id: string, as: Person = ada) =>
  (await world.call<ChatResponse>(`/api/v1/chats/${id}`, { as })).body.chat;

describe("a stored answer", () => {
  it("keeps its calls, and tells the next turn of them", async () => {
    const chatId = await newChat();
    tools.play({ content: "Wait.", calls: [{ id: "call_abcdef", name: "things" }] }, { content: "Done." });
    await complete({ tool_ids: ["kit"], chat_id: chatId });
    await world.settled();
    const { history } = await readChat(chatId);
    const answer = history.messages[history.currentId!]!;
    expect(answer["content"]).toBe("Wait.\n\nDone.");
    expect(await itemsOf(answer.id)).toMatchObject([
      {
        call_id: "call_abcdef",
        name: "things",
        title: "Things",
        source: { kind: "plugin", id: "kit", name: "Kit" },
        arguments: "{}",
        state: "done",
        result: '[{"a":1},null]',
        at: 5,
        round: 0,
      },
    ]);
    expect(answer["output"]).toEqual(await itemsOf(answer.id));
    const shown = world.live.published.filter(({ event }) => event.data.type === "chat:tool");
    expect(shown.map(({ event }) => (event.data.data as { state: string }).state)).toEqual(["running", "done"]);
    expect(shown[0]).toMatchObject({ userId: ada.id, event: { chat_id: chatId, message_id: history.currentId } });

    const { asked } = tools.play({ content: "Fine." });
    await world.call("/api/chat/completions", {
      as: ada,
      json: {
        model: "scripted",
        session_id: "s",
        id: newId(),
        chat_id: chatId,
        user_message: { id: newId(), content: "And?", parentId: history.currentId },
      },
    });
    await runOne();
    expect(asked[0]!["messages"]).toMatchObject([
      question,
      { role: "assistant", content: "Wait.", tool_calls: [{ id: "call00001", function: { name: "things" } }] },
      { role: "tool", tool_call_id: "call00001", content: '[{"a":1},null]' },
      { role: "assistant", content: "Done." },
      { role: "user", content: "And?" },
    ]);
  });

  it("keeps its calls in a copy, and tells the model of them there too", async () => {
    const chatId = await newChat();
    tools.play({ content: "Wait.", calls: [{ name: "things" }] }, { content: "Done." });
    await complete({ tool_ids: ["kit"], chat_id: chatId });
    await world.settled();
    const { body: copy } = await world.call<ChatResponse>(`/api/v1/chats/${chatId}/clone`, { as: ada, json: {} });
    const { history } = copy.chat;
    expect(history.messages[history.currentId!]!["output"]).toMatchObject([{ name: "things" }]);
    const { asked } = tools.play({ content: "Fine." });
    await world.call("/api/chat/completions", {
      as: ada,
      json: {
        model: "scripted",
        session_id: "s",
        id: newId(),
        chat_id: copy.id,
        user_message: { id: newId(), content: "And?", parentId: history.currentId },
      },
    });
    await runOne();
    expect((asked[0]!["messages"] as { role: string }[]).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
  });

  it("keeps a long result whole for its owner, as long as there is the message", async () => {
    const chatId = await newChat();
    const { asked } = tools.play({ calls: [{ name: "long" }] }, { content: "Done." });
    await complete({ tool_ids: ["kit"], chat_id: chatId });
    await world.settled();
    expect(String(toolMessages(asked[1])[0])).toMatch(/^x{1000}\n\n\[Truncated: .* of 5000 characters.*file\.\]$/);
    const { history } = await readChat(chatId);
    const [item] = (await itemsOf(history.currentId!)) as { is_cut: boolean; file: { url: string; size: number } }[];
    expect(item).toMatchObject({ is_cut: true, file: { size: 5000, content_type: "text/plain" } });
    const whole = await world.call<string>(item!.file.url, { as: ada });
    expect([whole.status, whole.body, whole.headers.get("content-type")]).toEqual([
      200,
      "x".repeat(5000),
      "text/plain; charset=utf-8",
    ]);
    expect((await world.call(item!.file.url, { as: grace })).status).toBe(404);
    expect((await world.call(item!.file.url.replace(/[^/]+$/, "other"), { as: ada })).status).toBe(404);
    const stored = (world.services.blobs as unknown as { stored: Map<string, unknown> }).stored;
    expect([...stored.keys()].filter((key) => key.startsWith(`tool-results/${chatId}/`))).toHaveLength(1);
    await world.call(`/api/v1/chats/${chatId}`, { as: ada, method: "DELETE" });
    await sweep(world.services);
    expect([...stored.keys()].filter((key) => key.startsWith(`tool-results/${chatId}/`))).toEqual([]);
    expect((await world.call(item!.file.url, { as: ada })).status).toBe(404);
  });
});

/** Runs the turn that was started last, as a coordinator does. */
async function runOne(onText: (text: AnswerText, abort: AbortController) => void = () => undefined) {
  const start = world.live.runs.pop()!;
  const text = new AnswerText(start.continueFrom);
  const abort = new AbortController();
  const ended = Promise.withResolvers<void>();
  world.live.answers.push({ text, ended: ended.promise, chatId: start.chatId, messageId: start.messageId });
  onText(text, abort);
  const ends: { state: string }[] = [];
  await runTurn(world.services, start, text, { ended: (end) => void ends.push(end) }, abort);
  ended.resolve();
  world.live.answers.length = 0;
  await world.settled();
  return { start, ends, message: (await readChat(start.chatId)).history.messages[start.messageId]! };
}

async function begin(json: object) {
  const { status, body } = await world.call<{ chat_id: string }>("/api/chat/completions", {
    as: ada,
    json: {
      model: "scripted",
      session_id: "s",
      id: newId(),
      parent_id: null,
      user_message: { id: newId(), content: "Hello" },
      background_tasks: { title_generation: false },
      ...json,
    },
  });
  expect(status).toBe(200);
  return body;
}

describe("a turn in the background", () => {
  it("has what tools write into it in its place", async () => {
    tools.play(
      { content: "Wait.", calls: [{ name: "report" }] },
      { content: "Done.", calls: [{ name: "page" }] },
      { content: "Bye." },
    );
    await begin({ tool_ids: ["kit"] });
    const { message, ends } = await runOne();
    expect(ends).toMatchObject([{ state: "done" }]);
    expect(message["content"]).toBe("Wait.[seen]\n\nDone.\n\nBye.");
    expect(await itemsOf(message.id, "status")).toMatchObject([{ description: "Looking" }]);
    expect(await itemsOf(message.id, "embed")).toEqual([{ embed: "<b>hi</b>" }]);
    expect(await itemsOf(message.id)).toMatchObject([
      { name: "report", at: 5, round: 0, result: "reported" },
      { name: "page", at: 18, round: 1, result: "The page is shown to the person." },
    ]);
  });

  it("tells whoever watches what could not be attached, and answers", async () => {
    tools.play({ content: "Hi." });
    await begin({ tool_ids: ["secret"] });
    const { message } = await runOne();
    expect(message).toMatchObject({ content: "Hi.", state: "done" });
    const notes = world.live.published.filter(({ event }) => event.data.type === "notification");
    expect(notes).toMatchObject([{ event: { data: { data: { type: "warning" } } } }]);
    expect(JSON.stringify(notes)).toContain("does not exist, or you have no access to it");
  });

  it("stops with its tools", async () => {
    tools.play({ content: "Wait.", calls: [{ name: "forever" }] });
    await begin({ tool_ids: ["kit"] });
    const { message, ends } = await runOne((text, abort) => {
      text.listen(() => abort.abort("stopped"));
    });
    expect(ends).toMatchObject([{ state: "stopped" }]);
    expect(message).toMatchObject({ content: "Wait.", state: "stopped" });
  });

  it("goes on after a stop with the calls that were made", async () => {
    tools.play({ content: "Wait.", calls: [{ name: "things" }] }, { content: "So" });
    const { chat_id: chatId } = await begin({ tool_ids: ["kit"] });
    const { start } = await runOne((text, abort) => {
      text.listen(() => void (text.content.endsWith("So") && abort.abort("stopped")));
    });
    const { asked } = tools.play({ content: " it is.", calls: [{ name: "things" }] }, { content: "Yes." });
    await begin({ tool_ids: ["kit"], chat_id: chatId, id: start.messageId, continue: true, user_message: null });
    const { message } = await runOne();
    expect(
      (asked[0]!["messages"] as { role: string; content: string }[]).map(({ role, content }) => [role, content]),
    ).toEqual([
      ["user", "Hello"],
      ["assistant", "Wait."],
      ["tool", '[{"a":1},null]'],
      ["assistant", "So"],
    ]);
    expect(message["content"]).toBe("Wait.\n\nSo it is.\n\nYes.");
    expect(await itemsOf(message.id)).toMatchObject([{ at: 5 }, { at: 16 }]);
  });
});
