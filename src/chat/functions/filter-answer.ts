import type { Context } from "../../context.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { neverMs } from "../../lib/timers.ts";
import type { PluginFailureCode } from "../../plugins/plugin-host.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import type { ReplyDelta } from "../../upstream/answers/accumulate-reply.ts";
import {
  readUpstreamAnswer,
  type ReadAnswerOptions,
  type UpstreamAnswer,
} from "../../upstream/answers/read-upstream-answer.ts";
import { createEventSplitter } from "../../upstream/answers/split-events.ts";
import { chunksOfCompletion } from "../../upstream/repair/convert-completion.ts";
import type { Question } from "../ask-model.ts";
import type { FunctionCaller } from "./function-caller.ts";

type Chunk = Record<string, unknown>;

/** The context of a filtered answer. */
export interface FilteredQuestion extends Pick<Question, "stream" | "signal" | "refusal"> {
  model: string;
  includeUsage: boolean;
  choices: number | undefined;
  onDelta?: ((delta: ReplyDelta) => void) | undefined;
}

/** Failures after which a filter is skipped for the rest of the answer, because it would only delay it. */
const final: ReadonlySet<PluginFailureCode> = new Set(["timeout", "stopped", "paused", "unavailable", "missing"]);

/**
 * Passes each event of the answer through the filters, in order. The result is what is shown, stored and counted. A
 * failing filter costs only the event. A non-streamed answer is filtered as the events that it would have been, and
 * stays unchanged if the filters change nothing.
 * @param answer read with its usage
 * @param onFailed called once for each failed filter
 */
export async function filterAnswer(
  ctx: Context,
  answer: UpstreamAnswer,
  filters: readonly PluginEntry[],
  functions: FunctionCaller,
  question: FilteredQuestion,
  onFailed: (filter: PluginEntry, message: string) => void,
): Promise<UpstreamAnswer> {
  const through = createEventFilter(filters, functions, onFailed);
  const options: ReadAnswerOptions = {
    model: question.model,
    stream: question.stream,
    includeUsage: question.includeUsage,
    choices: question.choices,
    now: () => ctx.now(),
    onDelta: question.onDelta,
    signal: question.signal,
    refusal: question.refusal,
    // The model is watched where it is read, and a filter has a limit of its own.
    idleTimeoutMs: neverMs,
  };
  const headers = { "content-type": "text/event-stream" };
  if (answer.kind === "stream") {
    const body = filteredBody(answer.body, through);
    const filtered = await readUpstreamAnswer(new Response(body, { headers }), options);
    return { ...filtered, headers: answer.headers };
  }
  const given = chunksOfCompletion(structuredClone(answer.value));
  let frames = "";
  let isChanged = false;
  for (const chunk of given) {
    const before = JSON.stringify(chunk);
    const after = await through.add(chunk);
    const text = after && JSON.stringify(after);
    if (text !== before) isChanged = true;
    if (text !== undefined) frames += frameOf(text);
  }
  if (!isChanged) return answer;
  const filtered = await readUpstreamAnswer(new Response(`${frames}${through.end()}`, { headers }), options);
  return { ...filtered, headers: answer.headers };
}

interface EventFilter {
  /** The event after the filters; undefined if one of them drops it. */
  add(chunk: Chunk): Promise<Chunk | undefined>;
  /** The last frames of a complete answer. */
  end(): string;
}

function createEventFilter(
  filters: readonly PluginEntry[],
  functions: FunctionCaller,
  onFailed: (filter: PluginEntry, message: string) => void,
): EventFilter {
  const failed = new Set<string>();
  const given = new Set<string>();
  let hasSpoken = false;

  function fail(filter: PluginEntry, message: string): undefined {
    if (!failed.has(filter.id)) onFailed(filter, message);
    failed.add(filter.id);
    return undefined;
  }

  async function put(filter: PluginEntry, event: Chunk): Promise<Chunk | undefined> {
    // What could not be looked at is not let through.
    if (given.has(filter.id)) return undefined;
    const result = await functions.call(filter, "stream", { event });
    if (!result.ok) {
      if (final.has(result.error.code)) given.add(filter.id);
      return result.error.code === "aborted" ? undefined : fail(filter, result.error.message);
    }
    if (result.value === null || result.value === undefined) return undefined;
    return isRecord(result.value) ? result.value : fail(filter, "its stream function did not return an event");
  }

  return {
    async add(chunk) {
      let event: Chunk | undefined = chunk;
      for (const filter of filters) {
        event = await put(filter, event);
        if (!event) return undefined;
      }
      if (Array.isArray(event["choices"]) && event["choices"].length > 0) hasSpoken = true;
      return event;
    },
    end() {
      // Where everything was dropped, the answer is empty, and whole all the same.
      const opening = hasSpoken ? "" : frameOf('{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}');
      return `${opening}${frameOf("[DONE]")}`;
    },
  };
}

function frameOf(data: string): string {
  return `data: ${data}\n\n`;
}

/** Reads one event on demand, and stops the model when the reader is gone. */
function filteredBody(source: ReadableStream<Uint8Array>, through: EventFilter): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const waiting: string[] = [];
  let isRead = false;
  const splitter = createEventSplitter({
    maxLength: Infinity,
    onOverflow: () => undefined,
    onEvent: ({ data }) => waiting.push(data) > 0,
  });

  async function nextEvent(): Promise<string | undefined> {
    while (waiting.length === 0 && !isRead) {
      const { done, value } = await reader.read();
      isRead = done;
      splitter.push(decoder.decode(value, { stream: !done }));
      if (done) splitter.end();
    }
    return waiting.shift();
  }

  async function nextFrames(): Promise<string | undefined> {
    for (let data = await nextEvent(); data !== undefined; data = await nextEvent()) {
      if (data === "[DONE]") return through.end();
      const event = tryParseJson(data);
      // An error is no event of the model's.
      if (!isRecord(event) || event["error"]) return frameOf(data);
      const left = await through.add(event);
      if (left) return frameOf(JSON.stringify(left));
    }
    return undefined;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const frames = await nextFrames();
        if (frames === undefined) controller.close();
        else controller.enqueue(encoder.encode(frames));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
