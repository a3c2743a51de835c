import type { ResolvedModel } from "../../../src/models/catalog/find-model.ts";
import type { CompletionCall } from "../../../src/models/drivers/driver.ts";
import { guideConnection } from "../../../src/models/drivers/function-model/driver.ts";
import { indexFunctions } from "../../../src/plugins/function-index.ts";

type Json = Record<string, unknown>;

/** One tool call as a model makes it. */
export interface ScriptedCall {
  id?: string;
  name?: string;
  args?: string | Json;
  index?: number;
}

/** What the model does in one round. */
export interface ScriptedRound {
  content?: string;
  reasoning?: string;
  /** Where the provider has it; `reasoning_content` by default. */
  reasoningIn?: "reasoning_content" | "reasoning" | "tags" | "parts";
  calls?: ScriptedCall[];
  finish?: string;
  usage?: Json;
  extra?: Json;
  /** Answers with this instead. */
  response?: (call: CompletionCall) => Response | Promise<Response>;
  /** In pieces of so many characters. */
  pieces?: number;
}

export interface ScriptedModel {
  model: ResolvedModel;
  /** Bodies of the requests, in order. */
  asked: Json[];
  signals: AbortSignal[];
}

const frame = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

function callsOf(round: ScriptedRound): Json[] {
  return (round.calls ?? []).map(({ id, name, args, index }, at) => ({
    ...(index === -1 ? {} : { index: index ?? at }),
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: {
      ...(name === undefined ? {} : { name }),
      arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
    },
  }));
}

function cut(text: string, length: number): string[] {
  return text === "" ? [] : (text.match(new RegExp(`[^]{1,${length}}`, "gu")) ?? []);
}

/** Chunks of the round as a provider streams them. */
function streamOf(round: ScriptedRound, at: number): Response {
  const chunk = (delta: Json, finish: string | null = null): string =>
    frame({
      id: `chatcmpl-${at}`,
      object: "chat.completion.chunk",
      created: 1_762_000_000 + at,
      model: "scripted",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const size = round.pieces ?? 1000;
  const calls = callsOf(round);
  const events = [
    chunk({ role: "assistant", content: "" }),
    ...cut(round.reasoning ?? "", size).map((text, piece) => chunk(thoughtOf(round, text, piece === 0))),
    ...cut(saidAfterThought(round), size).map((text) => chunk({ content: text })),
    ...calls.map((call) => chunk({ tool_calls: [call] })),
    ...(round.extra ? [frame({ id: `chatcmpl-${at}`, choices: [], ...round.extra })] : []),
    chunk({}, round.finish ?? (calls.length > 0 ? "tool_calls" : "stop")),
    ...(round.usage ? [frame({ id: `chatcmpl-${at}`, choices: [], usage: round.usage })] : []),
    frame("[DONE]"),
  ];
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const event = events.shift();
        if (event === undefined) controller.close();
        else controller.enqueue(encoder.encode(event));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream", "x-ratelimit-remaining": String(at) } });
}

/** A piece of the thought, where the provider has it. */
function thoughtOf({ reasoningIn = "reasoning_content" }: ScriptedRound, text: string, isFirst = true): Json {
  if (reasoningIn === "tags") return { content: `${isFirst ? "<think>" : ""}${text}` };
  if (reasoningIn === "parts") return { content: [{ type: "thinking", thinking: [{ type: "text", text }] }] };
  return { [reasoningIn]: text };
}

function saidAfterThought({ content = "", reasoning, reasoningIn }: ScriptedRound): string {
  return reasoning !== undefined && reasoningIn === "tags" ? `</think>${content}` : content;
}

function completionOf(round: ScriptedRound, at: number): Response {
  const calls = callsOf({ ...round, calls: (round.calls ?? []).map((call) => ({ ...call, index: -1 })) });
  const thought = round.reasoning === undefined ? {} : thoughtOf(round, round.reasoning);
  const inContent = typeof thought["content"] === "string" ? thought["content"] : "";
  const parts = Array.isArray(thought["content"])
    ? [...(thought["content"] as Json[]), { type: "text", text: round.content }]
    : undefined;
  const message = {
    role: "assistant",
    ...thought,
    content: parts ?? (round.content === undefined && inContent === "" ? null : inContent + saidAfterThought(round)),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return Response.json({
    id: `chatcmpl-${at}`,
    object: "chat.completion",
    created: 1_762_000_000 + at,
    model: "scripted",
    choices: [{ index: 0, message, finish_reason: round.finish ?? (calls.length > 0 ? "tool_calls" : "stop") }],
    ...round.extra,
    ...(round.usage ? { usage: round.usage } : {}),
  });
}

/** A model that does in its calls what the rounds say, one after the other; the last one again and again. */
export function scriptedModel(rounds: ScriptedRound[]): ScriptedModel {
  const asked: Json[] = [];
  const signals: AbortSignal[] = [];
  const model: ResolvedModel = {
    id: "scripted",
    name: "Scripted",
    kind: "openai",
    driver: {
      kind: "openai",
      listModels: () => Promise.resolve({ models: [], apiRoot: "" }),
      async complete(call) {
        const at = asked.length;
        asked.push(structuredClone(call.body));
        signals.push(call.signal);
        const round = rounds[Math.min(at, rounds.length - 1)]!;
        if (round.response) return round.response(call);
        return call.body["stream"] === true ? streamOf(round, at) : completionOf(round, at);
      },
      embed: () => Promise.reject(new TypeError("a chat model")),
    },
    connection: guideConnection,
    upstreamId: "scripted",
    raw: {},
    alternatives: [],
    stored: undefined,
    params: {},
    secrets: [],
    pipe: undefined,
    functions: indexFunctions([]),
    metas: [],
    isDirect: false,
    knowledge: [],
  };
  return { model, asked, signals };
}
