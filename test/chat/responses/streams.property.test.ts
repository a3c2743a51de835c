import fc from "fast-check";
import OpenAI from "openai";
import type { Response as ModelResponse } from "openai/resources/responses/responses";
import { expect, test } from "vitest";
import { createAnswerBody } from "../../../src/chat/completions/answer-body.ts";
import { createAnswerStream } from "../../../src/chat/completions/answer-stream.ts";
import { convertStream } from "../../../src/chat/dialects/convert-stream.ts";
import { responseHead } from "../../../src/chat/responses/response-head.ts";
import { createResponsesConverter } from "../../../src/chat/responses/responses-converter.ts";
import { answerCompletion } from "../../../src/models/drivers/messages-native/answer-completion.ts";
import { cutAt, streamBytes, type StreamFixture, streamFixtures } from "../../fixtures/streams/stream-fixtures.ts";
import { checkResponses } from "../../grammar/responses.ts";

const cuts = fc.oneof(fc.constant("bytes" as const), fc.array(fc.nat(20_000), { maxLength: 60 }));

/** The whole way of a stream: the provider's pieces, the driver, the repair, the dialect. */
async function converted(fixture: StreamFixture, pieces: Uint8Array[], isSummary: boolean): Promise<Uint8Array> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const given = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const upstream = fixture.dialect === "messages" ? await answerCompletion(given, "asked") : given;
  const repaired = createAnswerBody(createAnswerStream(upstream, { model: "asked", includeUsage: true }));
  const converter = createResponsesConverter({
    head: responseHead({ request: { model: "asked", input: "?" }, tools: [], store: false, now: 1_700_000_000 }),
    tools: { custom: new Set(), spaced: new Map() },
    isSummary,
    showsMarks: false,
    now: () => 1_700_000_001,
  });
  return new Uint8Array(await new Response(convertStream(repaired, converter)).arrayBuffer());
}

/** As the official SDK accumulates it. */
async function accumulated(bytes: Uint8Array): Promise<ModelResponse> {
  const answer = () =>
    Promise.resolve(new Response(bytes.slice(), { headers: { "content-type": "text/event-stream" } }));
  const client = new OpenAI({ apiKey: "sk-test", baseURL: "http://parley.test", fetch: answer });
  return client.responses.stream({ model: "asked", input: "?" }).finalResponse();
}

async function expectSaid(fixture: StreamFixture, pieces: Uint8Array[], isSummary: boolean): Promise<void> {
  const bytes = await converted(fixture, pieces, isSummary);
  const checked = checkResponses(bytes);
  const response = await accumulated(bytes);
  expect(response.output).toMatchObject(checked.items);
  const parts = response.output.flatMap((item) => (item.type === "message" ? item.content : []));
  expect(parts.map((part) => (part.type === "refusal" ? "" : part.text)).join("")).toBe(fixture.content ?? "");
  expect(parts.map((part) => (part.type === "refusal" ? part.refusal : "")).join("")).toBe(fixture.refusal ?? "");
  const thoughts = response.output.flatMap((item) => (item.type === "reasoning" ? [item] : []));
  const told = thoughts.flatMap((item) => (isSummary ? item.summary : (item.content ?? [])));
  expect(told.map(({ text }) => text).join("")).toBe(fixture.reasoning ?? "");
  const calls = response.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
  expect(calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown }))).toEqual(
    fixture.calls ?? [],
  );
  expect(new Set(calls.map((call) => call.call_id)).size).toBe(calls.length);
  expect(response.status).toBe(fixture.finish === "length" ? "incomplete" : "completed");
  const { usage } = fixture;
  if (!usage) return;
  expect(response.usage).toMatchObject({
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: usage.output,
  });
}

test.each(streamFixtures)("$name says in the Responses API what it says, however it is cut", async (fixture) => {
  const bytes = streamBytes(fixture);
  await expectSaid(fixture, [bytes], false);
  await fc.assert(
    fc.asyncProperty(cuts, fc.boolean(), async (places, isSummary) =>
      expectSaid(fixture, cutAt(bytes, places), isSummary),
    ),
    { numRuns: 15 },
  );
});
