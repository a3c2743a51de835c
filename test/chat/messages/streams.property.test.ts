import { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream";
import type { Message } from "@anthropic-ai/sdk/resources/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createAnswerBody } from "../../../src/chat/completions/answer-body.ts";
import { createAnswerStream } from "../../../src/chat/completions/answer-stream.ts";
import { convertStream } from "../../../src/chat/dialects/convert-stream.ts";
import { createMessagesConverter } from "../../../src/chat/messages/messages-converter.ts";
import { answerCompletion } from "../../../src/models/drivers/messages-native/answer-completion.ts";
import { cutAt, streamBytes, type StreamFixture, streamFixtures } from "../../fixtures/streams/stream-fixtures.ts";
import { checkMessages } from "../../grammar/messages.ts";

const cuts = fc.oneof(fc.constant("bytes" as const), fc.array(fc.nat(20_000), { maxLength: 60 }));

/** The whole way of a stream: the provider's pieces, the driver, the repair, the dialect. */
async function converted(fixture: StreamFixture, pieces: Uint8Array[]): Promise<Uint8Array> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const given = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const upstream = fixture.dialect === "messages" ? await answerCompletion(given, "asked") : given;
  const repaired = createAnswerBody(createAnswerStream(upstream, { model: "asked", includeUsage: true }));
  const converter = createMessagesConverter({
    model: "asked",
    sequences: [" three"],
    showsThinking: true,
    inputTokens: 5,
  });
  return new Uint8Array(await new Response(convertStream(repaired, converter)).arrayBuffer());
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

async function check(fixture: StreamFixture, pieces: Uint8Array[]): Promise<void> {
  const bytes = await converted(fixture, pieces);
  const checked = checkMessages(bytes);
  const message = await accumulated(bytes);
  expect(checked.error).toBeUndefined();
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const said = [fixture.content ?? "", fixture.refusal ?? ""].join("");
  // Blocks that would hold nothing but white space are left out, and so is what stands before the first word.
  expect(texts.join("").trim()).toBe(said.trim());
  const thoughts = message.content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
  expect(thoughts.join("").trim()).toBe((fixture.reasoning ?? "").trim());
  const calls = message.content.flatMap((block) => (block.type === "tool_use" ? [block] : []));
  expect(calls.map(({ name, input }) => ({ name, arguments: input }))).toEqual(fixture.calls ?? []);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  const isSequence = fixture.name.endsWith("/stop-sequence");
  expect(message.stop_reason).toBe(
    isSequence ? "stop_sequence" : fixture.calls?.length ? "tool_use" : reasons[fixture.finish ?? "stop"],
  );
  expect(message.stop_sequence).toBe(isSequence ? " three" : null);
  const { usage } = fixture;
  if (!usage) return;
  expect(message.usage).toMatchObject({
    input_tokens: usage.input - (usage.cached ?? 0),
    cache_read_input_tokens: usage.cached ?? 0,
    output_tokens: usage.output,
  });
}

test.each(streamFixtures)("$name says in the Messages API what it says, however it is cut", async (fixture) => {
  const bytes = streamBytes(fixture);
  await check(fixture, [bytes]);
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => check(fixture, cutAt(bytes, places))),
    { numRuns: 15 },
  );
});
