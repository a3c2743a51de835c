import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/id.ts";
import { eventsOf, textOf } from "./events-of.ts";
import { answered, type Completion, question, useFilterWorld } from "./filter-world.ts";
import { install } from "./install.ts";

const here = useFilterWorld();
const filter = (body: string) => `export class Filter { ${body} }`;
describe("stream filters", () => {
  const upper = filter(`stream(event) {
    for (const { delta } of event.choices ?? []) if (delta.content) delta.content = delta.content.toUpperCase();
    return event;
  }`);

  it("change each event of a stream, and the same answer where it is whole", async () => {
    await install(here.world, { id: "upper", source: upper });
    const { body } = await here.ask<string>({ stream: true, stream_options: { include_usage: true } });
    expect(textOf(body)).toBe(answered.toUpperCase());
    const events = eventsOf(body);
    expect(events.at(-1)).toBe("[DONE]");
    expect(events.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(JSON.stringify(eventsOf((await here.ask<string>({ stream: true })).body))).not.toContain("total_tokens");
    expect((await here.ask()).body.choices[0]!.message.content).toBe(answered.toUpperCase());
  });

  it("leave an answer that they do not change in its own words", async () => {
    const before = (await here.ask<object>()).body;
    await install(here.world, { id: "watching", source: filter(`stream(event) { return event }`) });
    expect((await here.ask<object>()).body).toEqual(before);
  });

  it("run one after the other, and what one drops the next never sees", async () => {
    await install(here.world, {
      id: "a_first",
      source: filter(`stream(event) { return event.choices?.[0]?.delta?.content === " capital" ? null : event }`),
    });
    await install(here.world, { id: "b_second", source: upper });
    expect(textOf((await here.ask<string>({ stream: true })).body)).not.toMatch(/capital/i);
  });

  it("one that raises costs the event, is logged, and the answer goes on", async () => {
    await install(here.world, {
      id: "picky",
      source: filter(
        `stream(event) { if (event.choices?.[0]?.delta?.content === " is") throw new Error("not that word"); return event }`,
      ),
    });
    const { status, body } = await here.ask<string>({ stream: true });
    expect(status).toBe(200);
    expect(textOf(body)).toBe(answered.replace(" is", ""));
    expect(eventsOf(body).at(-1)).toBe("[DONE]");
    expect(here.world.logged).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: "a plugin failed",
        fields: expect.objectContaining({ plugin: "function/picky", method: "stream", text: "not that word" }),
      }),
    );
  });

  it("dropping everything leaves an empty answer that is whole", async () => {
    await install(here.world, { id: "void", source: filter(`stream() { throw new Error("no") }`) });
    const { status, body } = await here.ask<string>({ stream: true });
    expect(status).toBe(200);
    expect(textOf(body)).toBe("");
    expect(eventsOf(body).at(-1)).toBe("[DONE]");
    expect(eventsOf(body).at(-2)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    expect((await here.ask()).body.choices).toMatchObject([{ message: { content: "" }, finish_reason: "stop" }]);
  });

  it("do not touch an error of the upstream", async () => {
    await install(here.world, { id: "upper", source: upper });
    const { status, body } = await here.ask({ model: "fault-429" });
    expect(status).toBe(429);
    expect(body.error.message).not.toBe("");
  });

  it("a caller who leaves lets the model go", async () => {
    await install(here.world, { id: "upper", source: upper });
    const hold = here.upstream.holdAfter(3);
    const coming = here.upstream.nextRequest();
    const response = await here.world.request("/api/chat/completions", {
      as: here.ada,
      json: { model: "openai", messages: question, stream: true },
    });
    const reader = response.body!.getReader();
    await reader.read();
    await hold.reached;
    await reader.cancel();
    const request = await coming;
    await request.over;
    expect(request.aborted).toBe(true);
    hold.release();
  });

  it("what is kept in a chat is what came out of them", async () => {
    await install(here.world, { id: "upper", source: upper });
    for (const stream of [false, true]) {
      const chatId = await here.newChat();
      await here.ask({ chat_id: chatId, stream });
      await here.world.settled();
      expect((await here.shown(chatId)).at(-1)).toMatchObject({ content: answered.toUpperCase(), state: "done" });
    }
  });
});

describe("turns in the background", () => {
  it("run all three: what tabs see comes out of the stream filter, what is kept out of the outlet", async () => {
    await install(here.world, {
      id: "all",
      source: filter(`inlet(body) { body.messages.at(-1).content += " Please." }
        stream(event) { for (const { delta } of event.choices ?? []) if (delta.content) delta.content = delta.content.toUpperCase(); return event }
        outlet(body, __chat_id__) {
          body.messages.at(-1).content += " (" + [body.model, body.chat_id === __chat_id__, body.session_id, body.id === body.messages.at(-1).id, body.messages.length].join() + ")";
          return body;
        }`),
    });
    const { start, end, streamed } = await here.turn();
    expect(here.asked()[0]!.body!["messages"]).toEqual([{ role: "user", content: `${question[0]!.content} Please.` }]);
    expect(streamed).toBe(answered.toUpperCase());
    const text = `${answered.toUpperCase()} (openai,true,s,true,2)`;
    expect(end).toMatchObject({ state: "done", content: text });
    const [asking, answer] = await here.shown(start.chatId);
    expect(asking!.content).toBe(question[0]!.content);
    expect(answer).toMatchObject({ content: text, originalContent: answered.toUpperCase(), state: "done", done: true });
    expect(here.published("chat:outlet")).toMatchObject([
      {
        chat_id: start.chatId,
        message_id: start.messageId,
        data: { data: { messages: [{ id: start.messageId, content: text }] } },
      },
    ]);
  });

  it("an outlet may change what was asked too", async () => {
    await install(here.world, {
      id: "redacting",
      source: filter(
        `outlet(body) { for (const m of body.messages) m.content = m.content.replace("France", "[a country]") }`,
      ),
    });
    const { start } = await here.turn();
    const [asking, answer] = await here.shown(start.chatId);
    expect(asking).toMatchObject({
      content: "What is the capital of [a country]?",
      originalContent: question[0]!.content,
    });
    expect(answer).toMatchObject({ content: answered.replace("France", "[a country]") });
    expect(here.published("chat:message").map(({ message_id }) => message_id)).toEqual([asking!.id]);
  });

  it("an outlet may change the text of a message with pictures, which stay", async () => {
    await install(here.world, {
      id: "redacting",
      source: filter(`outlet(body) { for (const m of body.messages) m.content = m.content.replace("France", "[it]") }`),
    });
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw==" } };
    const content = [{ type: "text", text: "Is this " }, picture, { type: "text", text: "France?" }];
    const { start } = await here.turn({ user_message: { id: newId() }, messages: [{ role: "user", content }] });
    const [asking] = await here.shown(start.chatId);
    expect(asking!.content).toEqual([{ type: "text", text: expect.stringMatching(/^Is this\s*\[it\]\?$/) }, picture]);
  });

  it("an outlet leaves an answer alone that is not whole", async () => {
    await install(here.world, { id: "seeing", source: filter(`outlet(body) { body.messages.at(-1).content += "!" }`) });
    await install(here.world, {
      id: "breaking",
      source: `export class Pipe { async *pipe() { yield "Half of"; throw new Error("Out of ink") } }`,
    });
    const { start, end } = await here.turn({ model: "breaking" });
    expect(end).toMatchObject({ state: "error", content: "Half of", error: { message: "Out of ink" } });
    expect((await here.shown(start.chatId)).at(-1)).toMatchObject({ content: "Half of", state: "error" });
  });

  it("an outlet that fails keeps the reply, the others do their part, and the person is told", async () => {
    await install(here.world, {
      id: "a_broken",
      name: "Broken",
      source: filter(`outlet() { throw new Error("no dictionary") }`),
    });
    await install(here.world, { id: "b_fine", source: filter(`outlet(body) { body.messages.at(-1).content += "!" }`) });
    const { end } = await here.turn();
    expect(end).toMatchObject({ state: "done", content: `${answered}!` });
    expect(here.published("notification")).toMatchObject([
      {
        data: {
          data: { type: "warning", content: expect.stringContaining("Broken failed: no dictionary") },
        },
      },
    ]);
  });

  it("an outlet that changes nothing leaves nothing behind", async () => {
    await install(here.world, { id: "looking", source: filter(`outlet(body) { return body }`) });
    const { start } = await here.turn();
    expect((await here.shown(start.chatId)).at(-1)).not.toHaveProperty("originalContent");
    expect(here.published("chat:outlet")).toEqual([]);
  });

  it("what an inlet refuses is the end of the turn", async () => {
    await install(here.world, { id: "gate", source: filter(`inlet() { throw new Error("Not today") }`) });
    const { end } = await here.turn();
    expect(end).toMatchObject({ state: "error", error: { message: "Not today", code: "plugin_failed" } });
    expect(here.asked()).toEqual([]);
  });

  it("the name of a chat is no turn: its filters do not run", async () => {
    await install(here.world, {
      id: "counting",
      source: filter(`inlet(body) { body.messages.at(-1).content += "#" }`),
    });
    await here.turn({ background_tasks: { title_generation: true } });
    const prompts = here.asked().map(({ body }) => JSON.stringify(body!["messages"]));
    expect(prompts).toHaveLength(2);
    expect(prompts.filter((prompt) => prompt.includes("#"))).toHaveLength(1);
  });
});

describe("outlets of API calls", () => {
  const outlet = filter(`outlet(body) { body.messages.at(-1).content += " [seen]"; return body }`);

  it("do not run as long as the settings say stable", async () => {
    await install(here.world, { id: "seeing", source: outlet });
    const chatId = await here.newChat();
    await here.ask({ chat_id: chatId });
    await here.world.settled();
    expect((await here.shown(chatId)).at(-1)!.content).toBe(answered);
  });

  it("run for what is kept in a chat where they say prerelease, and never rewrite the answer over HTTP", async () => {
    await install(here.world, { id: "seeing", source: outlet });
    const set = await here.world.call("/api/v1/auths/admin/config", {
      as: await here.world.admin(),
      json: { OUTLET_FILTER_MODE: "prerelease" },
    });
    expect(set.status).toBe(200);
    for (const stream of [false, true]) {
      const chatId = await here.newChat();
      const { body } = await here.ask<Completion & string>({ chat_id: chatId, stream });
      expect(stream ? textOf(body) : body.choices[0]!.message.content).toBe(answered);
      await here.world.settled();
      expect((await here.shown(chatId)).at(-1)).toMatchObject({
        content: `${answered} [seen]`,
        originalContent: answered,
      });
    }
    expect((await here.ask()).body.choices[0]!.message.content).toBe(answered);
  });

  it("may write into the answer themselves, behind what they make of it", async () => {
    await install(here.world, {
      id: "writing",
      source: filter(`async outlet(body, __event_emitter__) {
        await __event_emitter__({ type: "message", data: { content: " (late)" } });
        body.messages.at(-1).content = "Changed";
        return body;
      }`),
    });
    await here.world.call("/api/v1/auths/admin/config", {
      as: await here.world.admin(),
      json: { OUTLET_FILTER_MODE: "prerelease" },
    });
    const chatId = await here.newChat();
    await here.ask({ chat_id: chatId });
    await here.world.settled();
    expect((await here.shown(chatId)).at(-1)).toMatchObject({ content: "Changed (late)", originalContent: answered });
  });

  it("/api/chat/completed runs them and gives the payload back, with no more than model and messages", async () => {
    await install(here.world, { id: "seeing", source: outlet });
    const payload = { model: "openai", messages: [...question, { role: "assistant", content: answered }] };
    expect(await here.ask(payload, "/api/chat/completed")).toMatchObject({
      status: 200,
      body: { model: "openai", messages: [question[0], { role: "assistant", content: `${answered} [seen]` }] },
    });
    expect(await here.ask({ ...payload, custom: 1, chat_id: newId() }, "/api/chat/completed")).toMatchObject({
      status: 200,
      body: { custom: 1 },
    });
    expect(await here.ask({ ...payload, chat_id: await here.newChat() }, "/api/chat/completed")).toMatchObject({
      status: 200,
    });
    await install(here.world, { id: "failing", source: filter(`outlet() { throw new Error("no") }`) });
    expect(await here.ask(payload, "/api/chat/completed")).toMatchObject({
      status: 400,
      body: { error: { message: "no" } },
    });
  });
});
