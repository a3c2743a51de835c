import process from "node:process";
import { convertStream } from "../../src/chat/dialects/convert-stream.ts";
import { createMessagesConverter } from "../../src/chat/messages-api/messages-converter.ts";
import { createResponsesConverter } from "../../src/chat/responses-api/responses-converter.ts";
import { readUpstreamAnswer } from "../../src/upstream/answers/read-upstream-answer.ts";
import { readReasoningTags } from "../../src/upstream/repair/reasoning-tags.ts";

type Body = ReadableStream<Uint8Array>;

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const base = { id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_763_500_000, model: "bench" };
const chunk = (delta: object, more: object = {}): string =>
  frame({ ...base, choices: [{ index: 0, delta, finish_reason: null }], ...more });
const end = `${frame({ ...base, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`;
const padding = "aZ3kQ9xL1bN7vT5c";

/** What upstreams send, event by event: how each is like the one before decides what it costs. */
const manners: Record<string, (at: number) => string> = {
  "text, all alike": (at) => chunk({ content: `word${at % 10} ` }),
  "text, padded at random": (at) => chunk({ content: `word${at % 10} ` }, { obfuscation: padding.slice(at % 16) }),
  "thoughts under another name": (at) => chunk({ role: "assistant", content: "", reasoning: `word${at % 10} ` }),
  "thoughts between tags": (at) => chunk({ content: at === 0 ? "<think>" : `word${at % 10} ` }),
  "arguments of a call": (at) =>
    chunk({
      tool_calls: [
        at === 0
          ? { index: 0, id: "call_1", type: "function", function: { name: "write", arguments: '{"text":"' } }
          : { index: 0, function: { arguments: `word${at % 10} ` } },
      ],
    }),
};

const options = { model: "bench", stream: true, includeUsage: true, reasoningTags: readReasoningTags(undefined) };

/** The ways on which an answer goes to its caller. */
const ways: Record<string, (body: Body) => Body> = {
  "chat completions": (body) => body,
  "Messages API": (body) =>
    convertStream(
      body,
      createMessagesConverter({ model: "bench", sequences: [], showsThinking: true, inputTokens: 1 }),
    ),
  "Responses API": (body) =>
    convertStream(
      body,
      createResponsesConverter({
        head: { id: "resp_bench", object: "response", model: "bench" },
        tools: { custom: new Set(), spaced: new Map() },
        isSummary: false,
        showsMarks: false,
        now: () => 1,
      }),
    ),
};

/** A body of one write for each `each` events. */
function bodyOf(events: readonly string[], each: number): Body {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= events.length) return controller.close();
        controller.enqueue(encoder.encode(events.slice(at, (at += each)).join("")));
      },
    },
    { highWaterMark: 0 },
  );
}

async function read(body: Body): Promise<void> {
  const reader = body.getReader();
  while (!(await reader.read()).done);
}

/** Microseconds of processor time. */
async function cpu(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export interface StreamCost {
  manner: string;
  way: string;
  /** Microseconds of processor time per event, beyond those of reading the upstream's bytes alone. */
  added: number;
}

/**
 * What an event costs in the service's own code, in this process: no network, one write of the upstream for each event, as
 * providers send them. The best of several rounds, as other work on the machine only adds.
 */
export async function streamCosts(events: number, rounds: number): Promise<StreamCost[]> {
  const costs: StreamCost[] = [];
  for (const [manner, make] of Object.entries(manners)) {
    const list = [
      chunk({ role: "assistant", content: "" }),
      ...Array.from({ length: events }, (_, at) => make(at)),
      end,
    ];
    const plain = await best(rounds, () => read(bodyOf(list, 1)));
    for (const [way, convert] of Object.entries(ways)) {
      const whole = await best(rounds, async () => {
        const answer = await readUpstreamAnswer(
          new Response(bodyOf(list, 1), { headers: { "content-type": "text/event-stream" } }),
          options,
        );
        if (answer.kind !== "stream") throw new Error("expected a stream");
        await read(convert(answer.body));
      });
      costs.push({ manner, way, added: (whole - plain) / events });
    }
  }
  return costs;
}

async function best(rounds: number, run: () => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) least = Math.min(least, await cpu(run));
  return least;
}
