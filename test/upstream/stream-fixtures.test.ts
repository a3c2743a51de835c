import * as fc from "fast-check";
import type OpenAI from "openai";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { Stream } from "openai/streaming";
import { describe, expect, it } from "vitest";
import { readUpstreamAnswer, type UpstreamAnswer } from "../../src/upstream/answers/read-upstream-answer.ts";
import { readReasoningTags } from "../../src/upstream/repair/reasoning-tags.ts";
import { cutAt, streamBytes, type StreamFixture, streamFixtures } from "../fixtures/streams/stream-fixtures.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { bodyOf, concat, readAll } from "./streams.ts";

const fixtures = streamFixtures.filter(({ dialect }) => dialect === "completions");
const places = fc.oneof(fc.array(fc.nat(), { maxLength: 40 }), fc.constant("bytes" as const));

/** The service's answer to a caller who wants it as a stream or whole; the upstream's bytes come as they are cut. */
async function answer(fixture: StreamFixture, cuts: number[] | "bytes", stream: boolean): Promise<UpstreamAnswer> {
  const { body } = bodyOf(cutAt(streamBytes(fixture), cuts));
  const choices = 1 + (fixture.others?.length ?? 0);
  return readUpstreamAnswer(new Response(body, { headers: { "content-type": "text/event-stream" } }), {
    stream,
    includeUsage: true,
    model: "asked",
    choices,
    reasoningTags: readReasoningTags(undefined),
  });
}

async function streamed(fixture: StreamFixture, cuts: number[] | "bytes"): Promise<Uint8Array> {
  const made = await answer(fixture, cuts, true);
  if (made.kind !== "stream") throw new Error("expected a stream");
  return readAll(made.body);
}

/** What the official client makes of it, chunk by chunk and put together. */
async function byClient(bytes: Uint8Array): Promise<{ text: string; final: OpenAI.ChatCompletion }> {
  const stream = Stream.fromSSEResponse<OpenAI.ChatCompletionChunk>(
    new Response(new Uint8Array(bytes)),
    new AbortController(),
  );
  const [one, other] = stream.tee();
  let text = "";
  for await (const chunk of one) text += chunk.choices[0]?.index === 0 ? (chunk.choices[0].delta.content ?? "") : "";
  return { text, final: await ChatCompletionStream.fromReadableStream(other.toReadableStream()).finalChatCompletion() };
}

function wanted({
  content = "",
  reasoning = "",
  refusal = "",
  others = [],
  calls = [],
  finish = "stop",
}: StreamFixture) {
  return { content, reasoning, refusal, others, calls: finish === "function_call" ? [] : calls, finish };
}

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))("the stream of %s", (_name, fixture) => {
  it("keeps the grammar however its bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(places, async (cuts) => {
        const checked = checkStream(await streamed(fixture, cuts), { usage: true });
        const others = [...checked.content.keys()].filter((index) => index > 0);
        expect({
          content: checked.content.get(0) ?? "",
          reasoning: checked.reasoning.get(0) ?? "",
          refusal: checked.refusal.get(0) ?? "",
          others: others.map((index) => checked.content.get(index)),
          calls: (checked.calls.get(0) ?? []).map(({ name, arguments: args }) => ({
            name,
            arguments: JSON.parse(args) as unknown,
          })),
          finish: checked.finish.get(0),
        }).toEqual(wanted(fixture));
        expect(checked.error).toBeUndefined();
        expect(checked.usage?.["prompt_tokens"]).toBe(fixture.usage?.input);
        expect(checked.usage?.["completion_tokens"]).toBe(fixture.usage?.output);
      }),
      { numRuns: 12 },
    );
  });

  it("is read by the official client", async () => {
    const said = wanted(fixture);
    const { text, final } = await byClient(await streamed(fixture, [17, 401, 977]));
    expect(text).toBe(said.content);
    const [first] = final.choices;
    expect(first?.finish_reason).toBe(said.finish);
    expect(first?.message.content ?? "").toBe(said.content);
    const calls = (first?.message.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
    expect(
      calls.map(({ function: { name, arguments: args } }) => ({ name, arguments: JSON.parse(args) as unknown })),
    ).toEqual(said.calls);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(said.calls.length);
    expect(final.choices.slice(1).map((choice) => choice.message.content)).toEqual(said.others);
  });

  it("comes to the same where a whole answer is wanted", async () => {
    const made = await answer(fixture, "bytes", false);
    if (made.kind !== "json") throw new Error("expected a complete answer");
    const said = wanted(fixture);
    expect(made.reply).toMatchObject({ content: said.content, reasoning: said.reasoning, finishReason: said.finish });
    const { choices } = made.value as unknown as OpenAI.ChatCompletion;
    const calls = (choices[0]?.message.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
    expect(calls.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual(
      said.calls.map((call) => call.arguments),
    );
    expect(calls.every(({ id, type }) => id !== "" && type === "function")).toBe(true);
  });
});

it("all files of the folder are looked at", async () => {
  const { globSync } = await import("node:fs");
  const found = globSync("**/*.txt", { cwd: new URL("../fixtures/streams", import.meta.url).pathname });
  expect(found.map((path) => path.replace(/\.txt$/, "")).sort()).toEqual(streamFixtures.map(({ name }) => name).sort());
});

it("audio passes through as it comes", async () => {
  const fixture = fixtures.find(({ name }) => name === "openai/audio")!;
  const bytes = await streamed(fixture, []);
  expect(bytes).toEqual(concat([streamBytes(fixture)]));
  const made = await answer(fixture, [], false);
  expect((made.kind === "json" && made.value["choices"]) || []).toMatchObject([
    {
      message: {
        audio: { id: "audio_6912f0c3a1", transcript: "At nine fifteen.", data: "AAECAwQFBgcICQ==CgsMDQ4PEBESEw==" },
      },
    },
  ]);
});
