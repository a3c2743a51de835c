import { isRecord, tryParseJson } from "../../lib/json.ts";
import { createReplyAccumulator, type Reply } from "../../upstream/answers/accumulate-reply.ts";
import type { ToolCall } from "../../upstream/answers/accumulate-tool-calls.ts";
import type { UpstreamAnswer } from "../../upstream/answers/read-upstream-answer.ts";
import { createEventSplitter } from "../../upstream/answers/split-events.ts";
import { type Chunk, extrasOf, hasContent } from "../../upstream/chunks/chunk-shape.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import type { RoundJoiner } from "./join-rounds.ts";

/** The result of one call of the model. */
export interface Round {
  /** The model's message for the next request; without its calls. */
  message: Chunk;
  calls: ToolCall[];
  usage: Chunk | undefined;
  /** The last fields of the choice: its finish reason and fields beside it. */
  end: Chunk;
}

/** Texts of rounds, joined. */
export interface Joiners {
  content: RoundJoiner;
  reasoning: RoundJoiner;
}

/**
 * The chunks of one streamed call without what belongs to the loop: tool calls, finish reasons, usage.
 * @throws UpstreamError if the answer is incomplete
 */
export async function* readRound(
  answer: UpstreamAnswer & { kind: "stream" },
  joiners: Joiners,
): AsyncGenerator<Chunk, Round> {
  const whole = createReplyAccumulator({ everything: true });
  const end: Chunk = { finish_reason: null };
  let isFirst = true;
  for await (const chunk of chunksOf(answer.body)) {
    whole.addChunk(structuredClone(chunk));
    const spoken = speak(chunk, end, joiners);
    if (spoken || (isFirst && joiners.content.length() + joiners.reasoning.length() === 0)) yield chunk;
    isFirst = false;
  }
  const reply = await answer.finished;
  if (reply.error) throw failureOf(reply.error);
  const { choices } = whole.completion();
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message: Chunk = isRecord(first) && isRecord(first["message"]) ? { ...first["message"] } : {};
  return roundOf(message, reply, {
    ...end,
    finish_reason: end["finish_reason"] ?? reply.finishReason,
  });
}

/** The result of a non-streamed completion. */
export function readWholeRound(answer: UpstreamAnswer & { kind: "json" }): Round {
  const { choices } = answer.value;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const choice = isRecord(first) ? first : {};
  const { message, index: _, ...end } = choice;
  return roundOf(isRecord(message) ? message : {}, answer.reply, end);
}

function roundOf(message: Chunk, { usage, reasoningField }: Reply, end: Chunk): Round {
  const { tool_calls: given, function_call: legacy, reasoning_content: thought, ...rest } = message;
  const calls = (Array.isArray(given) ? (given as unknown[]) : []).filter(isRecord) as unknown as ToolCall[];
  if (calls.length === 0 && isRecord(legacy)) {
    const { name, arguments: args } = legacy as { name?: unknown; arguments?: unknown };
    calls.push({ id: "", type: "function", function: { name: textOf(name), arguments: textOf(args) } });
  }
  // A provider takes its thoughts back where it had them: those between tags or in parts are in no field that it knows.
  const own = reasoningField === undefined ? rest : { ...rest, [reasoningField]: thought };
  return { message: { ...spoken(own), role: "assistant" }, calls: calls.map(wholeCall), usage, end };
}

/** The message without empty fields: providers accept what they have sent, but many reject empty fields. */
function spoken(message: Chunk): Chunk {
  const said = ([, value]: [string, unknown]): boolean =>
    value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(message).filter(said));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : isRecord(value) ? JSON.stringify(value) : "";
}

/** Non-streamed completions have the upstream's original form. */
function wholeCall(call: ToolCall): ToolCall {
  const { index: _, ...rest } = call as ToolCall & { index?: unknown };
  const given: Partial<ToolCall["function"]> = isRecord(call.function) ? call.function : {};
  return {
    ...rest,
    id: typeof call.id === "string" ? call.id : "",
    type: "function",
    function: { ...given, name: textOf(given.name).trim(), arguments: textOf(given.arguments) },
  };
}

/**
 * Removes what belongs to the loop from a chunk.
 * @returns whether anything is left for the caller
 */
function speak(chunk: Chunk, end: Chunk, joiners: Joiners): boolean {
  delete chunk["usage"];
  const choices = (chunk["choices"] as Chunk[]).filter((choice) => choice["index"] === 0);
  chunk["choices"] = choices;
  let said = Object.keys(extrasOf(chunk)).length > 0;
  for (const choice of choices) {
    const delta = choice["delta"] as Chunk;
    delete delta["tool_calls"];
    delete delta["function_call"];
    if (typeof choice["finish_reason"] === "string") {
      const { delta: _, index: _index, logprobs: _logprobs, ...beside } = choice;
      Object.assign(end, beside);
      choice["finish_reason"] = null;
      for (const name of ["native_finish_reason", "stop_reason"]) delete choice[name];
    }
    if (typeof delta["content"] === "string") delta["content"] = joiners.content.add(delta["content"]);
    const { reasoning_content: thought } = delta;
    if (typeof thought === "string") delta["reasoning_content"] = joiners.reasoning.add(thought);
    if (hasContent(choice, delta)) said = true;
  }
  return said;
}

/** The chunks of a repaired stream; an error event ends it silently, because `finished` reports it too. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  const decoder = new TextDecoder();
  let found: Chunk[] = [];
  const splitter = createEventSplitter({
    maxLength: Infinity,
    onOverflow: () => undefined,
    onEvent: ({ data }) => {
      const value = tryParseJson(data);
      if (isRecord(value) && Array.isArray(value["choices"])) found.push(value);
      return true;
    },
  });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      splitter.push(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      const chunks = found;
      found = [];
      yield* chunks;
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The original error of an incomplete answer. */
export function failureOf(error: NonNullable<Reply["error"]>): UpstreamError {
  const { message, type, param, code, status, ...extra } = error;
  return new UpstreamError(typeof status === "number" ? status : 502, message, { type, param, code, extra });
}

/** The frame of one event. */
export const frame = (data: Chunk | "[DONE]"): string => `data: ${data === "[DONE]" ? data : JSON.stringify(data)}\n\n`;
