import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readUpstreamAnswer } from "../../src/upstream/answers/read-upstream-answer.ts";
import { providers } from "../fixtures/upstreams/providers.ts";
import { type ReplayServer, startReplayServer } from "../fixtures/upstreams/replay-server.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { readAll } from "./streams.ts";

let server: ReplayServer;

beforeAll(async () => {
  server = await startReplayServer();
});
afterAll(async () => {
  await server.close();
});

/** Asks the replaying upstream for `upstreamStream` and reads the answer as the caller wants it. */
async function ask(model: string, options: { upstreamStream: boolean; stream: boolean; includeUsage?: boolean }) {
  const response = fetch(`${server.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model, stream: options.upstreamStream, messages: [] }),
  });
  return await readUpstreamAnswer(response, {
    stream: options.stream,
    includeUsage: options.includeUsage,
    model: "asked",
  });
}

const recorded = Object.entries(providers);

describe.each(recorded)("a recorded answer of %s", (model, said) => {
  const reply = { content: said.content, reasoning: said.reasoning, finishReason: said.finishReason, error: undefined };

  it.each(["events", "whole", 1, 5] as const)("streams within the grammar, cut by %s", async (chunking) => {
    server.chunking = chunking;
    const answer = await ask(model, { upstreamStream: true, stream: true, includeUsage: true });
    if (answer.kind !== "stream") throw new Error("expected a stream");
    const checked = checkStream(await readAll(answer.body), { usage: true });
    server.chunking = "events";
    expect(checked.error).toBeUndefined();
    expect(checked.content.get(0) ?? "").toBe(said.content);
    expect(checked.reasoning.get(0) ?? "").toBe(said.reasoning);
    expect(checked.usage?.["total_tokens"] ?? null).toBe(said.streamTokens);
    const stored = await answer.finished;
    expect(stored).toMatchObject(reply);
    expect(stored.toolCalls.map((call) => call.function.name)).toEqual(said.toolNames);
    expect(stored.toolCalls.map((call) => JSON.parse(call.function.arguments))).toHaveLength(said.toolNames.length);
  });

  it("answers without streaming", async () => {
    const answer = await ask(model, { upstreamStream: false, stream: false });
    if (answer.kind !== "json") throw new Error("a document was asked for");
    expect(answer.reply).toMatchObject(reply);
    expect(answer.reply.toolCalls.map((call) => call.function.name)).toEqual(said.toolNames);
    expect(answer.value).toHaveProperty("object", "chat.completion");
    expect(answer.value).toHaveProperty("choices[0].message.role", "assistant");
    expect(JSON.parse(answer.body)).toEqual(answer.value);
  });

  it("becomes a document where a stream came", async () => {
    const answer = await ask(model, { upstreamStream: true, stream: false });
    if (answer.kind !== "json") throw new Error("a document was asked for");
    expect(answer.reply).toMatchObject(reply);
    const [choice] = answer.value["choices"] as { message: Record<string, unknown>; finish_reason: string }[];
    expect(choice?.finish_reason).toBe(said.finishReason);
    expect(choice?.message["content"]).toBe(said.content || null);
    expect((answer.value["usage"] as { total_tokens: number } | undefined)?.total_tokens ?? null).toBe(
      said.streamTokens,
    );
    expect((choice?.message["tool_calls"] as unknown[] | undefined)?.length ?? 0).toBe(said.toolNames.length);
  });

  it("becomes a stream where a document came", async () => {
    const answer = await ask(model, { upstreamStream: false, stream: true, includeUsage: true });
    if (answer.kind !== "stream") throw new Error("expected a stream");
    const checked = checkStream(await readAll(answer.body), { usage: true });
    expect(checked.error).toBeUndefined();
    const stored = await answer.finished;
    expect(stored).toMatchObject(reply);
    expect(stored.toolCalls.map((call) => call.function.name)).toEqual(said.toolNames);
    expect(checked.usage).toEqual(stored.usage);
    expect(checked.usage).toBeDefined();
  });
});

const folder = join(import.meta.dirname, "../fixtures/upstreams");

describe("an answer that keeps the dialect is forwarded in its own bytes", () => {
  it.each(["openai", "openai-tools", "vllm", "llama-cpp", "anthropic"])("stream of %s", async (model) => {
    const answer = await ask(model, { upstreamStream: true, stream: true, includeUsage: true });
    if (answer.kind !== "stream") throw new Error("expected a stream");
    const sent = new TextDecoder().decode(await readAll(answer.body));
    expect(sent).toBe(await readFile(join(folder, `${model}.sse`), "utf8"));
  });

  it.each(["openai", "openai-tools", "openai-choices", "azure", "vllm", "ollama"])("document of %s", async (model) => {
    const answer = await ask(model, { upstreamStream: false, stream: false });
    if (answer.kind !== "json") throw new Error("a document was asked for");
    const text = await readFile(join(folder, `${model}.json`), "utf8");
    expect(answer.body.trim()).toBe(text.trim());
  });
});

it("keeps what stands beside the choices: citations, logprobs, timings, filter results", async () => {
  const perplexity = await ask("perplexity", { upstreamStream: true, stream: true });
  if (perplexity.kind !== "stream") throw new Error("expected a stream");
  const { chunks } = checkStream(await readAll(perplexity.body), { usage: false });
  expect(chunks.every((chunk) => (chunk["citations"] as string[]).length === 2)).toBe(true);
  expect((await perplexity.finished).extra).toMatchObject({ citations: [expect.any(String), expect.any(String)] });

  const choices = await ask("openai-choices", { upstreamStream: true, stream: false });
  if (choices.kind !== "json") throw new Error("a document was asked for");
  expect(choices.value["choices"]).toMatchObject([
    { message: { content: "Yes." }, logprobs: { content: [{ token: "Yes" }, { token: "." }] } },
    { message: { content: "No!" }, logprobs: { content: [{ token: "No" }, { token: "!" }] } },
  ]);

  const timings = await ask("llama-cpp", { upstreamStream: true, stream: true });
  if (timings.kind !== "stream") throw new Error("expected a stream");
  expect(checkStream(await readAll(timings.body), { usage: false }).chunks.at(-1)).toHaveProperty(
    "timings.predicted_n",
    19,
  );
});
