import fc from "fast-check";
import OpenAI from "openai";
import type { Response as ModelResponse } from "openai/resources/responses/responses";
import { expect, test } from "vitest";
import { convertStream } from "../../../src/chat/dialects/convert-stream.ts";
import { responseHead } from "../../../src/chat/responses-api/response-head.ts";
import { createResponsesConverter } from "../../../src/chat/responses-api/responses-converter.ts";
import { answerCompletion } from "../../../src/models/drivers/messages-native/answer-completion.ts";
import { createAnswerBody } from "../../../src/upstream/answers/answer-body.ts";
import { createAnswerStream } from "../../../src/upstream/answers/answer-stream.ts";
import { readReasoningTags } from "../../../src/upstream/repair/reasoning-tags.ts";
import { cutAt, streamBytes, type StreamFixture, streamFixtures } from "../../fixtures/streams/stream-fixtures.ts";
import { checkResponses } from "../../grammar/responses.ts";

const reading = { model: "asked", includeUsage: true, reasoningTags: readReasoningTags(undefined) };
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
  const repaired = createAnswerBody(createAnswerStream(upstream, reading));
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

/** What an answer comes to, whichever way it was told; white space around texts is the server's. */
interface Sum {
  text: string;
  refusal: string;
  thoughts: string;
  calls: { name: string; arguments: unknown }[];
  status: string | undefined;
  /** Input, cached input, output. */
  tokens: number[] | undefined;
}

function meant({ content, refusal, reasoning, calls, finish, usage }: StreamFixture): Sum {
  return {
    text: (content ?? "").trim(),
    refusal: refusal ?? "",
    thoughts: (reasoning ?? "").trim(),
    calls: calls ?? [],
    status: finish === "length" ? "incomplete" : "completed",
    tokens: usage && [usage.input, usage.cached ?? 0, usage.output],
  };
}

async function told(fixture: StreamFixture, pieces: Uint8Array[], isSummary: boolean): Promise<Sum> {
  const bytes = await converted(fixture, pieces, isSummary);
  const checked = checkResponses(bytes);
  const { output, status, usage } = await accumulated(bytes);
  expect(output).toMatchObject(checked.items);
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const thoughts = output.flatMap((item) => (item.type === "reasoning" ? [item] : []));
  const thought = thoughts.flatMap((item): { text: string }[] => (isSummary ? item.summary : (item.content ?? [])));
  const calls = output.flatMap((item) => (item.type === "function_call" ? [item] : []));
  expect(new Set(calls.map((call) => call.call_id)).size).toBe(calls.length);
  return {
    text: parts
      .map((part) => (part.type === "refusal" ? "" : part.text))
      .join("")
      .trim(),
    refusal: parts.map((part) => (part.type === "refusal" ? part.refusal : "")).join(""),
    thoughts: thought
      .map(({ text }) => text)
      .join("")
      .trim(),
    calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown })),
    status,
    tokens: fixture.usage &&
      usage && [usage.input_tokens, usage.input_tokens_details.cached_tokens, usage.output_tokens],
  };
}

test.each(streamFixtures)("$name says in the Responses API what it says, however it is cut", async (fixture) => {
  const bytes = streamBytes(fixture);
  const expected = meant(fixture);
  expect(await told(fixture, [bytes], false)).toEqual(expected);
  await fc.assert(
    fc.asyncProperty(cuts, fc.boolean(), async (places, isSummary) => {
      expect(await told(fixture, cutAt(bytes, places), isSummary)).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});
