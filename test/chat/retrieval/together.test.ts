import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { origin, createWorld, type Person, type World } from "../../world.ts";
import { eventsOf, textOf } from "../functions/events-of.ts";
import { install } from "../functions/install.ts";
import { createToolWorld, type ToolWorld } from "../tools/scripted-upstream.ts";
import { addDocument, type Looked } from "./document-world.ts";

/** Documents together with what else a turn may have. */
let tools: ToolWorld;
let world: World;
let ada: Person;
let handbook: string;
beforeEach(async () => {
  tools = await createToolWorld();
  ({ world } = tools);
  ada = await world.person();
  handbook = await addDocument(world, ada, { passages: ["The ferry leaves at nine."] });
});
afterEach(() => world.close());

type Answer = { choices: { message: { content: string } }[]; error?: { code: string } } & Looked;
const asking = (more: object = {}) => ({
  model: "scripted",
  messages: [{ role: "user", content: "When does the ferry leave?" }],
  files: [{ type: "file", id: handbook }],
  ...more,
});
const ask = (more: object = {}) => world.call<Answer>("/api/chat/completions", { as: ada, json: asking(more) });
const firstOf = (body: Record<string, unknown>) => (body["messages"] as { content: string }[])[0]!.content;

async function makeTool(): Promise<void> {
  const source = `export default class Tools {
    /** The weather. */
    async weather(__event_emitter__, __files__) {
      await __event_emitter__({ type: "source", data: { source: { name: "Weather" }, document: ["Rain"], metadata: [{ source: "Weather" }] } });
      return "Rain, with " + __files__.map(({ name }) => name).join();
    }
  }`;
  const everyone = [{ principal_type: "user", principal_id: "*", permission: "read" }];
  const json = { id: "sky", name: "Sky", content: source, meta: {}, access_grants: everyone };
  const { status, body } = await world.call("/api/v1/tools/create", { as: await world.admin(), json });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

describe("tools", () => {
  it("are called in an answer that has passages, in each round", async () => {
    await makeTool();
    const { asked } = tools.play(
      { content: "Wait.", calls: [{ name: "weather" }] },
      { content: "Nine, in the rain.[1]" },
    );
    const { body } = await ask({ tool_ids: ["sky"] });
    expect(body.choices[0]!.message.content).toBe("Wait.\n\nNine, in the rain.[1]");
    expect(asked).toHaveLength(2);
    for (const round of asked) expect(firstOf(round)).toContain('<source id="1" name="handbook.pdf">');
    const [, , result] = asked[1]!["messages"] as { content: string }[];
    expect(result!.content).toBe("Rain, with handbook.pdf");
    expect(body.sources!.map(({ source }) => source.name)).toContain("handbook.pdf");
  });

  it("keep what they quote beside the passages", async () => {
    await makeTool();
    tools.play({ calls: [{ name: "weather" }] }, { content: "Nine.[1]" });
    const { body: chat } = await world.call<{ id: string }>("/api/v1/chats/new", { as: ada, json: { chat: {} } });
    await ask({ tool_ids: ["sky"], chat_id: chat.id });
    await world.settled();
    const { body } = await world.call<{ chat: { messages: { sources?: { source: { name: string } }[] }[] } }>(
      `/api/v1/chats/${chat.id}`,
      { as: ada },
    );
    const names = body.chat.messages.at(-1)!.sources!.map(({ source }) => source.name);
    expect(names.toSorted()).toEqual(["Weather", "handbook.pdf"]);
  });
});

it("stream filters see the answer, and the sources come first", async () => {
  const source = `export class Filter { stream(event) {
    for (const { delta } of event.choices ?? []) if (delta?.content) delta.content = delta.content.toUpperCase();
    return event;
  } }`;
  await install(world, { id: "loud", source });
  tools.play({ content: "Nine.[1]" });
  const { body } = await world.call<string>("/api/chat/completions", { as: ada, json: asking({ stream: true }) });
  expect(textOf(body)).toBe("NINE.[1]");
  expect(eventsOf(body)[0]).toMatchObject({ choices: [], sources: [{ source: { id: handbook } }] });
});

it("the openai client reads the stream, and what is beside it", async () => {
  tools.play({ content: "Nine.[1]" });
  const client = new OpenAI({
    apiKey: ada.token,
    baseURL: `${origin}/api`,
    fetch: async (input, init) => world.app.fetch(new Request(input as string, init as RequestInit), world.services),
  });
  const body = asking() as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
  const stream = client.chat.completions.stream({ ...body, stream: true });
  const final = await stream.finalChatCompletion();
  expect(final.choices[0]!.message.content).toBe("Nine.[1]");
  const whole = await client.chat.completions.create({ ...body, stream: false } as never);
  expect(whole).toMatchObject({
    choices: [{ message: { content: "Nine.[1]" } }],
    sources: [{ source: { id: handbook } }],
  });
});

it("an upstream that fails is an error with its status, as without documents", async () => {
  for (const stream of [false, true]) {
    tools.play({ response: () => Response.json({ error: { message: "Too busy" } }, { status: 429 }) });
    const { status, body } = await ask({ stream });
    expect(status).toBe(429);
    expect(body.error).toBeDefined();
    expect(body.sources).toBeUndefined();
  }
});

describe("a caller who is gone while a file is waited for", () => {
  const pending = { state: "pending", stage: "extracting" } as const;

  it("holds nothing up", async () => {
    const { asked } = tools.play({ content: "Nine." });
    const report = await addDocument(world, ada, { set: pending });
    const abort = new AbortController();
    const files = [{ type: "file", id: report }];
    const answer = world.request("/api/chat/completions", { as: ada, json: asking({ files }), signal: abort.signal });
    await vi.waitFor(() => expect(world.roundTrips.count).toBeGreaterThan(3), { timeout: 30_000 });
    abort.abort();
    expect((await answer).status).toBe(499);
    expect(asked).toEqual([]);
  });

  it.each([false, true])("or whose right is (stream: %j) is refused in these words", async (stream) => {
    tools.play({ content: "Nine." });
    const report = await addDocument(world, ada, { set: pending });
    const answer = ask({ stream, files: [{ type: "file", id: report }] });
    await vi.waitFor(() => expect(world.live.followed).toHaveLength(1), { timeout: 30_000 });
    world.live.followed[0]!.refuse(new AppError("account_inactive", "The account is switched off"));
    const { status, body } = await answer;
    expect([status, body.error!.code]).toEqual([401, "account_inactive"]);
  });
});

it("the guide says that it looks nothing up", async () => {
  const alone = await createWorld();
  try {
    const bob = await alone.person();
    const id = await addDocument(alone, bob, { passages: ["The ferry leaves at nine."] });
    const json = { ...asking(), model: "parley-guide", files: [{ type: "file", id }] };
    const { status, body } = await alone.call<Answer>("/api/chat/completions", { as: bob, json });
    expect(status).toBe(200);
    expect(body).toMatchObject({ sources: [], warnings: [{ code: "unsupported", type: "model" }] });
    expect(body.choices[0]!.message.content).not.toContain("<source");
  } finally {
    await alone.close();
  }
});
