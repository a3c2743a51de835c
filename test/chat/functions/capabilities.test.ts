import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { sessions } from "../../../src/people/auth/sessions/tables.ts";
import { answered, question, useFilterWorld } from "./filter-world.ts";
import { install } from "./install.ts";

const here = useFilterWorld();
const pipe = (body: string) => `export class Pipe { ${body} }`;

/** A function that makes the requests that it is told, and answers with what came of each. */
const asking = pipe(`async pipe(body, __service__) {
  const results = [];
  for (const [name, args] of JSON.parse(body.messages.at(-1).content)) {
    results.push(await __service__.request(name, args).catch((error) => ({ error: error.message })));
  }
  return JSON.stringify(results);
}`);
type Results = Record<string, unknown>[];
async function request(requests: [name: string, args?: object][], more: object = {}, as = here.ada): Promise<Results> {
  const content = JSON.stringify(requests.map(([name, args = {}]) => [name, args]));
  const { body } = await here.world.call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
    as,
    json: { model: "asking", messages: [{ role: "user", content }], ...more },
  });
  return JSON.parse(body.choices[0]!.message.content) as Results;
}

describe("what a function may ask for", () => {
  it("oneself; anybody for administrators", async () => {
    await install(here.world, { id: "asking", source: asking });
    const admin = await here.world.admin();
    const bob = await here.world.person({ name: "Bob" });
    const [self, other] = await request([["user.get"], ["user.get", { id: bob.id }]]);
    expect(self).toEqual({ id: here.ada.id, name: "Ada", email: here.ada.email, role: "user" });
    expect(other).toEqual({ error: expect.stringMatching(/administrator/) });
    const [found] = await request([["user.get", { id: bob.id }]], {}, admin);
    expect(found).toEqual({ id: bob.id, name: "Bob", email: bob.email, role: "user" });
  });

  it("one's own chats", async () => {
    await install(here.world, { id: "asking", source: asking });
    const chatId = await here.newChat();
    const [own, named, nothing] = await request([["chat.get", { id: chatId }], ["chat.get"], ["chat.get", { id: 5 }]], {
      chat_id: chatId,
    });
    expect(own).toMatchObject({ id: chatId, title: "T", user_id: here.ada.id });
    expect(named).toMatchObject({ id: chatId });
    expect(nothing).toHaveProperty("error");
    const [others] = await request([["chat.get", { id: chatId }]], {}, await here.world.person({ name: "Bob" }));
    expect(others).toEqual({ error: expect.stringMatching(/no such chat/i) });
  });

  it("one's own files, under ids of its own that no file has", async () => {
    await install(here.world, { id: "asking", source: asking });
    const bob = await here.world.person({ name: "Bob" });
    const id = "0192d3a0-0000-4000-8000-00000000000a";
    const made = { id, name: "chart.png", content_type: "image/png", base64: btoa("PNG") };
    const [file, again, odd, read, broken] = await request([
      ["file.create", made],
      ["file.create", { ...made, base64: btoa("other") }],
      ["file.create", { ...made, id: "../../secrets" }],
      ["file.read", { id }],
      ["file.create", { ...made, id: undefined, base64: "?" }],
    ]);
    expect(file).toMatchObject({ id, user_id: here.ada.id, filename: "chart.png", meta: { size: 3 } });
    expect(again).toEqual({ error: "There is a file with this id" });
    expect(odd).toEqual({ error: expect.stringMatching(/^id: /) });
    expect(read).toMatchObject({ base64: btoa("PNG"), file: { id } });
    expect(broken).toEqual({ error: expect.stringMatching(/^base64: /) });
    const [listed, got, page] = await request([["file.list"], ["file.get", { id }], ["file.list", { page: -1 }]]);
    expect(listed).toMatchObject({ total: 1, items: [{ id }] });
    expect(got).toMatchObject({ id, filename: "chart.png" });
    expect(page).toEqual({ error: expect.stringMatching(/^page: /) });
    const others = ["file.get", "file.read", "file.delete"].map((name): [string, object] => [name, { id }]);
    for (const result of await request([...others, ["file.create", made]], {}, bob))
      expect(result).toEqual({ error: expect.stringMatching(/No such file|There is a file with this id/) });
    expect((await request([["file.list"]], {}, bob))[0]).toMatchObject({ total: 0 });
    expect(
      await request([
        ["file.read", { id }],
        ["file.delete", { id }],
        ["file.get", { id }],
      ]),
    ).toEqual([expect.objectContaining({ base64: btoa("PNG") }), true, { error: "No such file" }]);
  });

  it("one's own memories, where one may have some", async () => {
    await install(here.world, { id: "asking", source: asking });
    const [added] = await request([["memory.add", { content: "Likes tea" }]]);
    const id = added!["id"] as string;
    const [listed, found, changed, odd] = await request([
      ["memory.list"],
      ["memory.query", { content: "tea", k: 3 }],
      ["memory.update", { id, content: "Likes coffee" }],
      ["memory.add", { content: "" }],
    ]);
    expect(listed).toMatchObject([{ id, content: "Likes tea", user_id: here.ada.id }]);
    expect(found).toMatchObject({ documents: [["Likes tea"]] });
    expect(changed).toMatchObject({ id, content: "Likes coffee" });
    expect(odd).toEqual({ error: expect.stringMatching(/^content: /) });
    const bob = await here.world.person({ name: "Bob" });
    const [none, other] = await request([["memory.list"], ["memory.delete", { id }]], {}, bob);
    expect(none).toEqual([]);
    expect(other).toHaveProperty("error");
    expect(await request([["memory.delete", { id }], ["memory.list"]])).toEqual([true, []]);
    const admin = await here.world.admin();
    await here.world.call("/api/v1/users/default/permissions", { as: admin, json: { features: { memories: false } } });
    const [refused] = await request([["memory.list"]]);
    await here.world.call("/api/v1/users/default/permissions", { as: admin, json: { features: { memories: true } } });
    expect(refused).toHaveProperty("error");
  });

  it("what its person sees of the workspace: people for administrators, tools, functions, folders", async () => {
    await install(here.world, { id: "asking", source: asking });
    const admin = await here.world.admin();
    const bob = await here.world.person({ name: "Bob" });
    const folder = await here.world.call<{ id: string }>("/api/v1/folders/", { as: bob, json: { name: "Tides" } });
    const all: [string, object?][] = [["user.list"], ["tool.list"], ["function.list"], ["folder.list"]];
    const [people, tools, functions, folders] = await request(all, {}, bob);
    expect(people).toEqual({ error: expect.stringContaining("administrator") });
    expect(tools).toEqual([]);
    expect(functions).toMatchObject([{ id: "asking", is_active: true }]);
    expect(JSON.stringify(functions)).not.toContain('"content"');
    expect(folders).toMatchObject([{ id: folder.body.id, name: "Tides", user_id: bob.id }]);
    const [everybody, , , none] = await request(all, {}, admin);
    expect(everybody).toContainEqual({ id: bob.id, name: "Bob", email: bob.email, role: "user" });
    expect(none).toEqual([]);
  });

  it("one's own chats by title", async () => {
    await install(here.world, { id: "asking", source: asking });
    const chatId = await here.newChat();
    const [chats] = await request([["chat.list", { page: 1 }]]);
    expect(chats).toEqual(expect.arrayContaining([expect.objectContaining({ id: chatId, title: "T" })]));
    expect(JSON.stringify(chats)).not.toContain("history");
    const [none] = await request([["chat.list"]], {}, await here.world.person({ name: "Bob" }));
    expect(none).toEqual([]);
  });

  it("models that one may use, and their answers, without any filters", async () => {
    await install(here.world, { id: "asking", source: asking });
    await install(here.world, {
      id: "marking",
      source: "export class Filter { inlet(body) { body.temperature = 0.9 } stream() { return null } }",
    });
    const messages = [{ role: "user", content: "Inside" }];
    const ask = (body: object): [string, object] => ["completion.create", { body }];
    const body = { model: "openai", messages, stream: true };
    const content = JSON.stringify([
      ["model.list", {}],
      ask(body),
      ask({ ...body, model: "nowhere" }),
      ask({ messages }),
    ]);
    // The outer answer goes through the filters, which drop it all; what it asked for inside does not.
    await here.world.call("/api/chat/completions", {
      as: here.ada,
      json: { model: "asking", messages: [{ role: "user", content }] },
    });
    const { body: inside } = here.asked().at(-1)!;
    expect(inside).toMatchObject({ model: "openai", messages, stream: false });
    expect(inside).not.toHaveProperty("temperature");
    await here.world.call("/api/v1/functions/id/marking/toggle", { as: await here.world.admin(), json: {} });
    const [models, completion, unknown, none] = await request([
      ["model.list"],
      ask(body),
      ask({ ...body, model: "nowhere" }),
      ask({ messages }),
    ]);
    expect((models as unknown as { id: string }[]).map(({ id }) => id)).toContain("asking");
    expect(completion).toMatchObject({ object: "chat.completion", choices: [{ message: { content: answered } }] });
    expect(unknown).toEqual({ error: expect.stringMatching(/does not exist, or you have no access/) });
    expect(none).toEqual({ error: expect.stringMatching(/model and messages/) });
  });

  it("answers inside of answers only so deep", async () => {
    await install(here.world, {
      id: "mirror",
      source: pipe(`async pipe(body, __service__) {
        const inner = await __service__.complete({ model: "mirror", messages: body.messages }).catch((error) => error.message);
        return typeof inner === "string" ? inner : "deeper: " + inner.choices[0].message.content;
      }`),
    });
    const { body } = await here.ask({ model: "mirror" });
    expect(body.choices[0]!.message.content).toMatch(
      /^deeper: deeper: deeper: Completions that functions request .* limited to 3 levels$/,
    );
  });

  it("only so many answers at a time, however they are nested", async () => {
    await install(here.world, {
      id: "bomb",
      source: pipe(`async pipe(body, __service__) {
        const asked = Array.from({ length: 20 }, () => __service__.complete({ model: "bomb", messages: body.messages }));
        const ends = await Promise.allSettled(asked);
        const refused = ends.filter((end) => /wait for 64/.test(end.reason?.message)).length;
        const inside = ends.filter((end) => end.value).map((end) => JSON.parse(end.value.choices[0].message.content));
        return JSON.stringify([1 + inside.reduce((sum, [calls]) => sum + calls, 0), refused + inside.reduce((sum, [, n]) => sum + n, 0)]);
      }`),
    });
    const { body } = await here.ask({ model: "bomb" });
    const [calls, refused] = JSON.parse(body.choices[0]!.message.content) as [number, number];
    expect(calls).toBeGreaterThan(20);
    // Three deep there would be 8,421.
    expect(calls).toBeLessThan(1500);
    expect(refused).toBeGreaterThan(20);
  });

  it("tools that call themselves only so deep", async () => {
    const admin = await here.world.admin();
    await here.world.call("/api/v1/tools/create", {
      as: admin,
      json: {
        id: "echo_tool",
        name: "Echo",
        content: `export class Tools { async again(n, __service__) {
          return n + 1 + Number(await __service__.callTool("again", { n: 0 }).catch((error) => (error.message.includes("64") ? 0 : 1000)));
        } }`,
      },
    });
    await install(here.world, {
      id: "starting",
      source: pipe(`async pipe(body, __service__) { return String(await __service__.callTool("again", { n: 0 })) }`),
    });
    const { body } = await here.world.call<{ choices: { message: { content: string } }[] }>("/api/chat/completions", {
      as: admin,
      json: { model: "starting", tool_ids: ["echo_tool"], messages: [{ role: "user", content: "x" }] },
    });
    expect(body.choices[0]!.message.content).toBe("64");
  });

  it("nothing of what went wrong in here", async () => {
    await install(here.world, { id: "asking", source: asking });
    // The database says its statement, and what it was given.
    const chatId = await here.newChat();
    await here.world.db.run("ALTER TABLE chats RENAME COLUMN title TO was_title");
    const [failed] = await request([["chat.get", { id: chatId }]]);
    await here.world.db.run("ALTER TABLE chats RENAME COLUMN was_title TO title");
    expect(failed).toEqual({ error: "Internal error. The cause is in the log" });
  });

  it("nothing else, and nothing by a name that it made up", async () => {
    await install(here.world, { id: "asking", source: asking });
    const names = ["http", "user.delete", "constructor", "__proto__", "toString", ""];
    const results = await request(names.map((name): [string] => [name]));
    expect(results.map((result) => Object.keys(result))).toEqual(names.map(() => ["error"]));
    const [tool, odd] = await request([
      ["tool.call", { name: "x" }],
      ["tool.call", { name: "x", args: [1] }],
    ]);
    expect(tool).toEqual({ error: expect.stringMatching(/no such tool/i) });
    expect(odd).toHaveProperty("error");
  });

  it("only as long as the person is let in", async () => {
    await install(here.world, { id: "asking", source: asking });
    await install(here.world, {
      id: "waiting",
      source: pipe(`async *pipe(body, __service__) {
        yield "first ";
        for (let asked = 0; asked < 1000; asked++) {
          const refusal = await __service__.getUser().then(() => undefined, (error) => error.message);
          if (refusal) return yield refusal;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        yield "still let in";
      }`),
    });
    const response = await here.world.request("/api/chat/completions", {
      as: here.ada,
      json: { model: "waiting", messages: question, stream: true },
    });
    const reader = response.body!.getReader();
    await reader.read();
    await here.world.db.delete(sessions).where(eq(sessions.id, here.ada.sessionId));
    let rest = "";
    for (let step = await reader.read(); !step.done; step = await reader.read())
      rest += new TextDecoder().decode(step.value);
    expect(rest).toMatch(/session has ended/i);
  });
});

describe("events of functions that answer", () => {
  const telling = pipe(`async *pipe(body, __event_emitter__) {
    await __event_emitter__({ type: "status", data: { description: "Reading", done: false } });
    yield "One ";
    await __event_emitter__({ type: "message", data: { content: "two " } });
    yield { event: { type: "source", data: { source: { name: "Atlas" }, document: ["p. 1"], metadata: [{}] } } };
    yield "three";
  }`);

  it("are part of the message, in their place; statuses end with it", async () => {
    await install(here.world, { id: "telling", source: telling });
    const { start, end } = await here.turn({ model: "telling" });
    expect(end).toMatchObject({ state: "done" });
    const message = (await here.shown(start.chatId)).at(-1)!;
    expect(message).toMatchObject({
      sources: [{ source: { name: "Atlas" } }],
      statusHistory: [{ description: "Reading" }],
    });
    expect(message.content).toContain("One");
    expect(message.content).toContain("three");
  });

  it("also where the answer goes to an API caller and is kept in a chat", async () => {
    await install(here.world, { id: "telling", source: telling });
    const chatId = await here.newChat();
    const { body } = await here.ask({ model: "telling", chat_id: chatId });
    expect(body.choices[0]!.message.content).toBe("One three");
    await here.world.settled();
    expect((await here.shown(chatId)).at(-1)).toMatchObject({
      content: expect.stringContaining("two"),
      sources: [{ source: { name: "Atlas" } }],
    });
  });

  it("one that is none reaches the function as an exception", async () => {
    await install(here.world, {
      id: "odd",
      source: pipe(`async pipe(body, __event_emitter__) {
        return await __event_emitter__({ type: "status" }).then(() => "sent", (error) => error.message);
      }`),
    });
    const { end } = await here.turn({ model: "odd" });
    expect(end.content).toMatch(/data/);
  });
});

describe("a function as the model of titles", () => {
  it("is asked once more, and told what for", async () => {
    await install(here.world, {
      id: "naming",
      source: pipe(`pipe(body, __task__) { return __task__ === "title_generation" ? "A short name" : "An answer" }`),
    });
    const { start, end } = await here.turn({ model: "naming" });
    expect(end.content).toBe("An answer");
    const { body } = await here.world.call<{ title: string }>(`/api/v1/chats/${start.chatId}`, { as: here.ada });
    expect(body.title).toBe("A short name");
  });

  it("neither reports nor asks a second time", async () => {
    await install(here.world, {
      id: "asking",
      source: pipe(`async pipe(body, __task__, __event_emitter__, __event_call__) {
        await __event_emitter__({ type: "notification", data: { type: "info", content: "Asked for " + __task__ } });
        return __task__ ? await __event_call__({ type: "input", data: { title: "t", message: "m" } }).catch((error) => "Without you") : "Fine";
      }`),
    });
    const before = here.world.live.published.length;
    const { start } = await here.turn({ model: "asking" });
    const { body } = await here.world.call<{ title: string }>(`/api/v1/chats/${start.chatId}`, { as: here.ada });
    expect(body.title).toBe("Without you");
    const told = here.world.live.published.slice(before).map(({ event }) => JSON.stringify(event));
    expect(told.filter((text) => text.includes("Asked for"))).toEqual([expect.stringContaining("Asked for null")]);
  });
});

describe("a function that is stopped", () => {
  it("keeps what it had said", async () => {
    await install(here.world, {
      id: "slow",
      source: pipe(`async *pipe() { yield "Begun"; await new Promise(() => {}) }`),
    });
    const abort = new AbortController();
    const running = here.turn({ model: "slow" }, abort);
    await expect.poll(() => here.world.live.runs.length).toBe(1);
    const { messageId, chatId } = here.world.live.runs[0]!;
    await expect
      .poll(async () => (await here.shown(chatId)).find(({ id }) => id === messageId)?.content, { timeout: 30_000 })
      .toBe("Begun");
    abort.abort("stopped");
    expect((await running).end).toMatchObject({ state: "stopped", content: "Begun" });
  });
});
