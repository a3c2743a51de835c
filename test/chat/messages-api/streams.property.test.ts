import { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream";
import type { Message } from "@anthropic-ai/sdk/resources/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { convertStream } from "../../../src/chat/dialects/convert-stream.ts";
import { fromCompletion } from "../../../src/chat/messages-api/from-completion.ts";
import { createMessagesConverter } from "../../../src/chat/messages-api/messages-converter.ts";
import { answerCompletion } from "../../../src/models/drivers/messages-native/answer-completion.ts";
import { createAnswerBody } from "../../../src/upstream/answers/answer-body.ts";
import { createAnswerStream } from "../../../src/upstream/answers/answer-stream.ts";
import { readUpstreamAnswer } from "../../../src/upstream/answers/read-upstream-answer.ts";
import { readReasoningTags } from "../../../src/upstream/repair/reasoning-tags.ts";
import { cutAt, streamBytes, type StreamFixture, streamFixtures } from "../../fixtures/streams/stream-fixtures.ts";
import { checkMessages } from "../../grammar/messages.ts";

const cuts = fc.oneof(fc.constant("bytes" as const), fc.array(fc.nat(20_000), { maxLength: 60 }));

const reading = { model: "asked", includeUsage: true, reasoningTags: readReasoningTags(undefined) };
const asked = { model: "asked", sequences: [" three"], showsThinking: true, inputTokens: 5 };

/** The provider's pieces, as its driver hands them on. */
async function upstreamOf({ dialect }: StreamFixture, pieces: Uint8Array[]): Promise<Response> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const given = new Response(body, { headers: { "content-type": "text/event-stream" } });
  return dialect === "messages" ? answerCompletion(given, "asked") : given;
}

/** The whole way of a stream: driver, repair, dialect. */
async function converted(fixture: StreamFixture, pieces: Uint8Array[]): Promise<Uint8Array> {
  const repaired = createAnswerBody(createAnswerStream(await upstreamOf(fixture, pieces), reading));
  const body = convertStream(repaired, createMessagesConverter(asked));
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** As the official SDK accumulates it. */
async function accumulated(bytes: Uint8Array): Promise<Message> {
  const events = new TextDecoder()
    .decode(bytes)
    .split("\n\n")
    .flatMap((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? []);
  return MessageStream.fromReadableStream(new Response(`${events.join("\n")}\n`).body!).finalMessage();
}

const reasons: Record<string, string> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  function_call: "tool_use",
};

/** What an answer comes to, whichever way it was told. Blocks of nothing but white space are left out, and so is what stands before words. */
interface Sum {
  text: string;
  thinking: string;
  calls: { name: string; arguments: unknown }[];
  stop: [string | null, string | null];
  /** Input, cached input, output. */
  tokens: (number | null)[] | undefined;
}

function meant({
  name,
  content = "",
  refusal = "",
  reasoning = "",
  calls = [],
  finish = "stop",
  usage,
}: StreamFixture): Sum {
  const reason = calls.length > 0 ? "tool_use" : reasons[finish]!;
  const { input, cached = 0, output } = usage ?? { input: 0, output: 0 };
  return {
    text: (content + refusal).trim(),
    thinking: reasoning.trim(),
    calls,
    stop: name.endsWith("/stop-sequence") ? ["stop_sequence", " three"] : [reason, null],
    tokens: usage && [input - cached, cached, output],
  };
}

async function told(fixture: StreamFixture, pieces: Uint8Array[]): Promise<Sum> {
  const bytes = await converted(fixture, pieces);
  const { error } = checkMessages(bytes);
  expect(error).toBeUndefined();
  return sumOf(await accumulated(bytes), fixture);
}

/** The same stream, gathered for a caller who wants it whole. */
async function whole(fixture: StreamFixture): Promise<Sum> {
  const upstream = await upstreamOf(fixture, [streamBytes(fixture)]);
  const answer = await readUpstreamAnswer(upstream, { ...reading, stream: false });
  if (answer.kind !== "json") throw new Error("expected a complete answer");
  return sumOf(fromCompletion(answer.value, asked) as unknown as Message, fixture);
}

function sumOf(message: Message, fixture: StreamFixture): Sum {
  const { content, stop_reason: reason, stop_sequence: sequence, usage } = message;
  const calls = content.filter((block) => block.type === "tool_use");
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  return {
    text: content
      .map((block) => (block.type === "text" ? block.text : ""))
      .join("")
      .trim(),
    thinking: content
      .map((block) => (block.type === "thinking" ? block.thinking : ""))
      .join("")
      .trim(),
    calls: calls.map(({ name, input }) => ({ name, arguments: input })),
    stop: [reason, sequence],
    tokens: fixture.usage && [usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens],
  };
}

test.each(streamFixtures)("$name says in the Messages API what it says, however it is cut", async (fixture) => {
  const bytes = streamBytes(fixture);
  expect(await told(fixture, [bytes])).toEqual(meant(fixture));
  expect(await whole(fixture)).toEqual(meant(fixture));
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      expect(await told(fixture, cutAt(bytes, places))).toEqual(meant(fixture));
    }),
    { numRuns: 15 },
  );
});
