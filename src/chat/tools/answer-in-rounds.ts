import type { Context } from "../../context.ts";
import { runtimeSignal } from "../../lib/stop-signal.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { AttachedTool } from "../../plugins/tool.ts";
import type { ReplyDelta } from "../../upstream/answers/accumulate-reply.ts";
import type { ToolCall } from "../../upstream/answers/accumulate-tool-calls.ts";
import type { UpstreamAnswer } from "../../upstream/answers/read-upstream-answer.ts";
import type { Chunk } from "../../upstream/chunks/chunk-shape.ts";
import { presentable, withOwnIds } from "../../upstream/repair/call-ids.ts";
import { askModel, type Question } from "../ask-model.ts";
import { callTools } from "./call-tools.ts";
import { createRoundJoiner } from "./join-rounds.ts";
import { frame, type Joiners, readRound, readWholeRound, type Round } from "./read-round.ts";
import { sumUsage } from "./sum-usage.ts";
import type { ToolTurn } from "./turn.ts";

export interface Rounds {
  model: ResolvedModel;
  /** With the signal that ends everything. */
  question: Question;
  /** The messages of the request; those of the rounds are appended. */
  messages: Record<string, unknown>[];
  tools: readonly AttachedTool[];
  turn: ToolTurn;
  /** Ids of calls that are already used. */
  usedIds: Set<string>;
  /** For answers without streaming: called with the text of each round. */
  onText: ((delta: ReplyDelta) => void) | undefined;
}

/** The state after the rounds so far. */
interface Progress {
  round: number;
  joiners: Joiners;
  usages: (Chunk | undefined)[];
  sources: Chunk[];
  files: Chunk[];
}

/**
 * Asks the model, executes its tool calls, and asks again until it answers. The result looks like that of a single
 * upstream: one completion or one stream of chunks, read by the same code as any other.
 */
export async function answerInRounds(ctx: Context, rounds: Rounds): Promise<Response> {
  const progress: Progress = {
    round: 0,
    joiners: { content: createRoundJoiner(), reasoning: createRoundJoiner() },
    usages: [],
    sources: [],
    files: [],
  };
  // Waited for here, so that a failure can still become a status.
  const first = await ask(ctx, rounds, progress);
  if (first.kind === "json") return answerWhole(ctx, rounds, progress, first);
  return new Response(bodyOf(answerStream(ctx, rounds, progress, first)), {
    headers: withType(first.headers, "text/event-stream"),
  });
}

function withType(given: Headers, type: string): Headers {
  const headers = new Headers(given);
  headers.set("content-type", type);
  return headers;
}

/** One call of the model; after the last round it is called without tools. */
function ask(ctx: Context, { model, question, messages, tools }: Rounds, { round }: Progress): Promise<UpstreamAnswer> {
  const { tool_choice: choice, parallel_tool_calls: parallel, ...body } = question.body;
  const isLast = round >= ctx.settings.TOOL_CALL_TURNS;
  const offer = isLast
    ? {}
    : {
        tools: tools.map(({ spec }) => ({ type: "function", function: spec })),
        // A call that was demanded is made once: demanded in each round, the answer would never come.
        ...(choice !== undefined && (round === 0 || choice === "auto" || choice === "none")
          ? { tool_choice: choice }
          : {}),
        ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }),
      };
  return askModel(ctx, model, { ...question, body: { ...body, ...offer, messages }, isFurther: round > 0 });
}

/**
 * Executes the calls of a round and appends them for the next.
 * @returns whether there were any
 */
async function follow(ctx: Context, rounds: Rounds, progress: Progress, round: Round): Promise<boolean> {
  progress.usages.push(round.usage);
  if (round.calls.length === 0 || progress.round >= ctx.settings.TOOL_CALL_TURNS) return false;
  const { model, question, messages, tools, turn } = rounds;
  const calls: ToolCall[] = withOwnIds(round.calls, rounds.usedIds);
  const shown = calls.map((call) => ({ ...call, function: { ...call.function, ...presentable(call.function) } }));
  const said = { content: null, ...round.message, tool_calls: shown };
  const called = await callTools(
    ctx,
    {
      turn,
      tools,
      model: model.id,
      messages: [...messages],
      files: progress.files,
      round: progress.round,
      at: placeOf(rounds, progress),
      signal: runtimeSignal(question.signal),
    },
    calls,
  );
  messages.push(said, ...called.messages);
  progress.sources.push(...called.sources);
  progress.round += 1;
  progress.joiners.content.next();
  progress.joiners.reasoning.next();
  return true;
}

/** The current position in the message's text. A non-streamed answer is added to the message at its end. */
function placeOf({ question, turn, onText }: Rounds, { joiners }: Progress): number {
  const isFollowed = question.stream || onText !== undefined;
  return (isFollowed ? turn.position?.() : undefined) ?? joiners.content.length();
}

/** Why an answer without calls ended. */
function finishOf({ end }: Round): Chunk {
  const { finish_reason: reason } = end;
  const isCalls = reason === "tool_calls" || reason === "function_call" || typeof reason !== "string";
  return isCalls ? { finish_reason: "stop" } : end;
}

async function* answerStream(
  ctx: Context,
  rounds: Rounds,
  progress: Progress,
  first: UpstreamAnswer,
): AsyncGenerator<string> {
  for (let answer = first; ; answer = await ask(ctx, rounds, progress)) {
    if (answer.kind !== "stream") throw new TypeError("expected a stream");
    const round = yield* framesOf(readRound(answer, progress.joiners));
    if (await follow(ctx, rounds, progress, round)) continue;
    if (progress.sources.length > 0) yield frame({ choices: [], sources: progress.sources });
    yield frame({ choices: [{ index: 0, delta: {}, ...finishOf(round) }] });
    const usage = sumUsage(progress.usages);
    if (usage) yield frame({ choices: [], usage });
    yield frame("[DONE]");
    return;
  }
}

async function* framesOf(chunks: AsyncGenerator<Chunk, Round>): AsyncGenerator<string, Round> {
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      isOver = done === true;
      if (done) return value;
      yield frame(value);
    }
  } finally {
    // A caller that leaves lets the model go.
    if (!isOver) await chunks.return({ message: {}, calls: [], usage: undefined, end: {} });
  }
}

async function answerWhole(
  ctx: Context,
  rounds: Rounds,
  progress: Progress,
  first: UpstreamAnswer & { kind: "json" },
): Promise<Response> {
  const headers = withType(first.headers, "application/json");
  const extras: Chunk = {};
  let content = "";
  let reasoning = "";
  for (let answer: UpstreamAnswer = first; ; answer = await ask(ctx, rounds, progress)) {
    if (answer.kind !== "json") throw new TypeError("expected a complete answer");
    const { choices: _, usage: _usage, ...shared } = answer.value;
    Object.assign(extras, shared);
    const round = readWholeRound(answer);
    const said = {
      content: progress.joiners.content.add(answer.reply.content),
      reasoning: progress.joiners.reasoning.add(answer.reply.reasoning),
    };
    content += said.content;
    reasoning += said.reasoning;
    rounds.onText?.({ choice: 0, ...said });
    if (await follow(ctx, rounds, progress, round)) continue;
    const end = finishOf(round);
    if (progress.round === 0 && end === round.end) return new Response(answer.body, { headers });
    const { reasoning: _thought, reasoning_content: _own, ...spoken } = round.message;
    const message = { ...spoken, content, ...(reasoning === "" ? {} : { reasoning_content: reasoning }) };
    const usage = sumUsage(progress.usages);
    const value = {
      ...extras,
      ...(progress.sources.length > 0 ? { sources: progress.sources } : {}),
      choices: [{ index: 0, message, ...end }],
      ...(usage ? { usage } : {}),
    };
    return new Response(JSON.stringify(value), { headers });
  }
}

/** Read only as fast as the caller reads. */
function bodyOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
