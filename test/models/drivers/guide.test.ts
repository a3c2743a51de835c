import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findModel } from "../../../src/models/catalog/find-model.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import { answerQuestion } from "../../../src/models/drivers/function-model/guide/answer-question.ts";
import { pages } from "../../../src/models/drivers/function-model/guide/pages.ts";
import { readQuestion } from "../../../src/models/drivers/function-model/guide/read-question.ts";
import { termsOf } from "../../../src/models/drivers/function-model/guide/search-pages.ts";
import { cpuTime } from "../../cpu-time.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { deadOrigin } from "../provider.ts";
import { storeConnection } from "../store-connection.ts";

let world: World;
let person: Person;
beforeEach(async () => {
  world = await createWorld();
  person = await world.person();
});
afterEach(() => world.close());

const listed = async () => (await world.call<{ data: ModelEntry[] }>("/api/models", { as: person })).body.data;

async function complete(body: Record<string, unknown>): Promise<Response> {
  const ctx = await contextFor(world, person);
  const { driver, connection, upstreamId } = await findModel(ctx, "parley-guide");
  return driver.complete({
    connection,
    model: upstreamId,
    body,
    signal: new AbortController().signal,
    outbound: ctx.outbound,
  });
}

describe("the built-in guide", () => {
  test("is there while nothing is connected, and gone with the first connection, dead or alive", async () => {
    expect(await listed()).toMatchObject([
      { id: "parley-guide", owned_by: "parley", object: "model", pipe: { type: "pipe" } },
    ]);
    const id = await storeConnection(world, { base_url: await deadOrigin() });
    expect(await listed()).toEqual([]);
    await expect(contextFor(world, person).then((ctx) => findModel(ctx, "parley-guide"))).rejects.toMatchObject({
      code: "model_not_found",
    });
    await world.client.execute({ sql: "UPDATE connections SET enabled = 0 WHERE id = ?", args: [id] });
    expect(await listed()).toMatchObject([{ id: "parley-guide" }]);
  });

  test("is gone with a connection of the environment too", async () => {
    const other = await createWorld({ environment: { LOCALMODEL_BASE_URLS: await deadOrigin() } });
    const { body } = await other.call<{ data: ModelEntry[] }>("/api/models", { as: await other.person() });
    expect(body.data).toEqual([]);
    await other.close();
  });

  test("can be given a name or switched off by administrators as any model", async () => {
    await world.call("/api/v1/models/create", {
      as: await world.admin(),
      json: { id: "parley-guide", base_model_id: null, name: "Harbour guide" },
    });
    expect(await listed()).toMatchObject([{ name: "Harbour guide" }]);
    await world.call("/api/v1/models/model/toggle?id=parley-guide", { as: await world.admin(), method: "POST" });
    expect(await listed()).toEqual([]);
  });

  test("answers in the shape of a completion", async () => {
    const response = await complete({ messages: [{ role: "user", content: "How do I connect a model?" }] });
    expect(await response.json()).toMatchObject({
      object: "chat.completion",
      model: "parley-guide",
      choices: [
        {
          message: { role: "assistant", content: expect.stringContaining("/admin/connections") },
          finish_reason: "stop",
        },
      ],
    });
  });

  test("streams the same answer, as the SDK reads it, with usage where it was asked for", async () => {
    const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "ollama" }] }];
    const client = new OpenAI({
      apiKey: "none",
      baseURL: "http://guide.test",
      fetch: async (_, init) => complete(JSON.parse(String(init!.body)) as Record<string, unknown>),
    });
    const stream = await client.chat.completions.create({
      model: "parley-guide",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    const endings: unknown[] = [];
    let chunks = 0;
    for await (const chunk of stream) {
      chunks++;
      text += chunk.choices[0]?.delta.content ?? "";
      if (chunk.choices[0]?.finish_reason) endings.push(chunk.choices[0].finish_reason);
      if (chunk.usage) endings.push(chunk.usage.total_tokens);
    }
    expect(text).toBe(answerQuestion("ollama"));
    expect(endings).toEqual(["stop", 0]);
    expect(chunks).toBeGreaterThan(5);
  });
});

describe("what the guide says", () => {
  test.each([
    ["How do I connect a model?", "Models and connections: Connect a model"],
    ["how can I add my OpenAI API key??", "Models and connections: Connect a model"],
    ["is my key safe, who can see the keys of providers", "Models and connections: Where keys are kept safe"],
    ["ollama on another machine", "Models and connections: A runtime on another machine"],
    ["What are the keyboard shortcuts", "First steps: Keyboard shortcuts"],
    ["how do I back up my data", "Backups: Back up your data"],
    ["I forgot my password", "Sign-in and single sign-on: Change your password"],
    ["Why is my model missing from the list", "When something does not work: A model is missing from the list"],
    ["how do I approve a pending user", "People, groups and organizations: Roles"],
    ["curl example with a bearer token", "Using the API: With curl"],
    ["openai sdk javascript", "Using the API: With the OpenAI SDK"],
    ["monitoring from CI", "Operate: From a monitor or CI"],
    ["who sees which model", "Models and connections: Who sees which model"],
    ["can others read my chats", "Chats: Privacy: who can read my chats"],
    ["dark theme", "First steps: Your own settings"],
    ["How do I invite people?", "People, groups and organizations: Invite somebody"],
    ["What is a knowledge base?", "Documents: Knowledge bases"],
    ["RAG_FILE_MAX_SIZE", "Documents: Large files"],
    ["How do I upload files", "Documents: Upload a file with curl"],
    ["regenerate an answer", "Chats: Edit a question or ask again"],
  ])("%j finds %j", (question, heading) => {
    expect(answerQuestion(question).split("\n")[0]).toBe(`### ${heading}`);
  });

  test.each(["", "   ", "hello", "What is the capital of France?", "wie verbinde ich ein Modell", "🙂", "<%>"])(
    "to %j says what it is, what it knows, and how to get a real model",
    (question) => {
      const answer = answerQuestion(question);
      expect(answer).toContain("no language model");
      expect(answer).toContain("(/admin/connections)");
      for (const { title } of pages) expect(answer).toContain(`- [${title}](/help/`);
    },
  );

  test("always says what it is", () => {
    expect(answerQuestion("shortcuts")).toMatch(/no language model behind me.*\(\/admin\/connections\)/s);
  });

  test("is quick with a question of any length", () => {
    const messages = [{ role: "user", content: "key ".repeat(500_000) }];
    expect(cpuTime(() => answerQuestion(readQuestion(messages)))).toBeLessThan(200);
  });

  test("takes the last question of the user, texts of its parts only", () => {
    expect(
      readQuestion([
        { role: "user", content: "first" },
        { role: "assistant", content: "x" },
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "data:" } },
            { type: "text", text: "last" },
          ],
        },
        { role: "assistant", content: "prefill" },
      ]),
    ).toBe("last");
    expect([readQuestion(undefined), readQuestion([]), readQuestion([null, 5, { role: "user" }])]).toEqual([
      "",
      "",
      "",
    ]);
  });

  test("ignores case, accents, stop words and endings", () => {
    expect(termsOf("How are the KEYS connected, Élodie?")).toEqual(termsOf("key connect elodie"));
  });
});
