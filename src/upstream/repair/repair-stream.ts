import { newId as newUuid } from "../../lib/id.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import {
  createReplyAccumulator,
  type Reply,
  type ReplyAccumulator,
  type ReplyDelta,
} from "../answers/accumulate-reply.ts";
import { createEventSplitter, type SplitEvent } from "../answers/split-events.ts";
import type { Chunk } from "../chunks/chunk-shape.ts";
import { type EventTemplate, makeTemplate, matchTemplate } from "../chunks/event-template.ts";
import { upstreamErrorFromBody } from "../errors/read-upstream-error.ts";
import { invalidAnswer, oversizedAnswer, type UpstreamError } from "../errors/upstream-error.ts";
import { createChunkRepair } from "./repair-chunks.ts";
import type { DeltaRepairOptions } from "./repair-delta.ts";

export interface StreamRepairOptions extends DeltaRepairOptions {
  /** The model's name for chunks in which the upstream names none. */
  model: string;
  /** Whether the caller asked for `stream_options.include_usage`; usage is gathered for the reply in any case. */
  includeUsage?: boolean | undefined;
  /** How many choices the caller asked for (`n`, 1 by default). */
  choices?: number | undefined;
  /** Epoch seconds, for chunks without `created`. */
  now?: (() => number) | undefined;
  /** Makes the id of a stream that has none. */
  newId?: (() => string) | undefined;
  /** Called for each piece of text or reasoning, in order. */
  onDelta?: ((delta: ReplyDelta) => void) | undefined;
  /** Secrets of the connection, taken out of error messages. */
  secrets?: readonly string[] | undefined;
  /** Longest event in UTF-16 units. */
  maxEventLength?: number | undefined;
  reply?: ReplyAccumulator | undefined;
}

export interface StreamRepair {
  /** Takes bytes of the upstream and returns those for the caller, often the same array. Empty if there are none. */
  push(bytes: Uint8Array): Uint8Array;
  /** The upstream's body is over. */
  end(): Uint8Array;
  /** The connection broke: an error event, unless everything had already been sent. */
  interrupt(error: UpstreamError): Uint8Array;
  /** Something else failed: always an error event. */
  fail(error: UpstreamError): Uint8Array;
  /** The last event was sent; nothing follows. */
  done(): boolean;
  /** A chunk (not only an error event) was sent. */
  started(): boolean;
  /** All choices have finished, so the end may be assumed if nothing else comes. */
  finished(): boolean;
  /** The error the stream ended with. */
  failure(): UpstreamError | undefined;
  /** What has arrived so far, with the error. */
  result(): Reply;
}

const nothing = new Uint8Array(0);
const defaultMaxEventLength = 16 * 1024 * 1024;
/** A stream that never fits a pattern (each event padded at random) should not pay for looking for one. */
const maxTemplateMisses = 64;

/**
 * Repairs a stream of chat-completions chunks. The output is always: `data: {...}` frames with one id, `created` and
 * model; in each choice the role once and first and one finish reason at its end; then usage, if requested; then `data:
 * [DONE]`. Or, if the upstream failed or just stopped: `data: {"error": {...}}` as the last frame.  `[DONE]` never
 * follows an error: it marks a complete answer, and a client that does not know error events must not take the answer
 * for complete. The `openai` clients throw at the error and stop reading.  Events that need no repair are sent
 * unchanged; comments, event names and ids are dropped.
 */
export function createStreamRepair(options: StreamRepairOptions): StreamRepair {
  const reply = options.reply ?? createReplyAccumulator({ onDelta: options.onDelta });
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let out = "";
  /** Whether `out` holds only events of the current bytes, untouched and in order. */
  let exact = true;
  /** Whether the next bytes begin at the beginning of an event. */
  let aligned = true;
  let first = true;
  let ending = false;
  let done = false;
  let started = false;
  let failure: UpstreamError | undefined;
  let current: SplitEvent | undefined;
  let emitted: { chunk: Chunk; text: string } | undefined;
  let emittedCount = 0;
  let template: EventTemplate | undefined;
  let misses = 0;

  const chunks = createChunkRepair({
    model: options.model,
    includeUsage: options.includeUsage ?? false,
    choices: options.choices ?? 1,
    now: options.now ?? (() => Math.floor(Date.now() / 1000)),
    newId: options.newId ?? newUuid,
    secrets: options.secrets,
    reasoningTags: options.reasoningTags,
    onlyTool: options.onlyTool,
    onReasoningField: reply.setReasoningField,
    reply,
    emit: (chunk, own) => {
      const text = own ?? JSON.stringify(chunk);
      emitted = { chunk, text };
      emittedCount += 1;
      send(text, own !== undefined && current !== undefined && current.canonical && own === current.data);
    },
  });
  const splitter = createEventSplitter({
    maxLength: options.maxEventLength ?? defaultMaxEventLength,
    onEvent: (event) => {
      current = event;
      readEvent(event);
      return !done;
    },
    onOverflow: () => failWith(oversizedAnswer()),
    skim,
  });

  function send(text: string, untouched: boolean): void {
    out += `data: ${text}\n\n`;
    started = true;
    if (!untouched) exact = false;
  }

  function failWith(error: UpstreamError): void {
    if (done) return;
    chunks.release();
    failure = error;
    done = true;
    exact = false;
    reply.setError(error.toStreamError().error);
    out += `data: ${JSON.stringify(error.toStreamError())}\n\n`;
  }

  function complete(saidDone: boolean): void {
    const error = chunks.complete(saidDone);
    if (error) return failWith(error);
    send("[DONE]", current?.canonical === true && current.data === "[DONE]");
    done = true;
  }

  /** Sends the events from `at` on that are like one before. */
  function skim(stream: string, at: number): number {
    if (!template) return at;
    const { before, after, outBefore, outAfter, untouched, choice, field } = template;
    let end = at;
    for (;;) {
      const text = matchTemplate(template, stream, end);
      if (text === undefined) break;
      reply.addText(choice, field, text);
      if (!untouched) out += outBefore + text + outAfter;
      end += before.length + text.length + after.length;
    }
    if (end === at) return at;
    misses = 0;
    if (untouched) out += stream.slice(at, end);
    else exact = false;
    return end;
  }

  function readEvent(event: SplitEvent): void {
    const { data } = event;
    if (data.length < 32 && /^\s*\[DONE\]\s*$/i.test(data)) return complete(true);
    readDocument(data, event.name);
  }

  function readDocument(data: string, name: string): void {
    const value = tryParseJson(data);
    if (value === undefined) return readNoise(data, name);
    if (name === "error") return failWith(upstreamErrorFromBody(value, { status: 200, secrets: options.secrets }));
    // Some upstreams wrap an error in a list; anything else that is no object says nothing.
    const chunk: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (!isRecord(chunk) || name === "ping") return;
    emitted = undefined;
    emittedCount = 0;
    const error = chunks.add(chunk, chunk !== value || data.includes("\n") ? undefined : data);
    if (error) return failWith(error);
    learn(data);
  }

  function learn(data: string): void {
    // Where something is held back, what came out need not be what came in, and more may have to come out before the next.
    if (emittedCount !== 1 || !emitted || chunks.holding()) {
      template = undefined;
      return;
    }
    if (misses > maxTemplateMisses) return;
    misses += 1;
    const made = makeTemplate(data, emitted.text, emitted.chunk);
    // A text that may hold a tag has to be looked into.
    if (made && (made.field !== "content" || chunks.isSettled(made.choice))) template = made;
  }

  /** Data that is not JSON. Damaged JSON means that text is missing, which must be reported. */
  function readNoise(data: string, name: string): void {
    const text = data.trim();
    if (name === "error" && text !== "") {
      return failWith(upstreamErrorFromBody({ message: text }, { status: 200, secrets: options.secrets }));
    }
    const doubled = /^data:\s*(.*)$/s.exec(text)?.[1];
    if (doubled !== undefined) return readEvent({ data: doubled, name, canonical: false });
    // The last event of a cut connection is cut too: that is told as an end, not as a damaged event.
    if (/^[{[]/.test(text) && !ending) failWith(invalidAnswer("a damaged event"));
  }

  /** Runs one step and returns its frames. A document nested too deep for the engine is the upstream's fault. */
  function collect(step: () => void): string {
    out = "";
    exact = true;
    current = undefined;
    try {
      step();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      failWith(invalidAnswer("an event that is nested too deep"));
    }
    return out;
  }

  function push(bytes: Uint8Array): Uint8Array {
    if (done || bytes.length === 0) return nothing;
    // A byte order mark is swallowed by the decoder, so the bytes are not the text's.
    const wasAligned = aligned && !(first && bytes[0] === 0xef);
    first = false;
    const text = decoder.decode(bytes, { stream: true });
    const frames = collect(() => splitter.push(text));
    aligned = splitter.idle() && bytes.at(-1) === 10;
    if (frames === "") return nothing;
    const same = exact && wasAligned && frames.length === text.length && !text.includes("\uFFFD");
    return same ? bytes : encoder.encode(frames);
  }

  function finish(step: () => void): Uint8Array {
    return done ? nothing : encoder.encode(collect(step));
  }

  return {
    push,
    end: () =>
      finish(() => {
        ending = true;
        splitter.push(decoder.decode());
        splitter.end();
        current = undefined;
        if (!done) complete(false);
      }),
    interrupt: (error) =>
      finish(() => {
        if (chunks.finished()) complete(false);
        else failWith(error);
      }),
    fail: (error) => finish(() => failWith(error)),
    done() {
      return done;
    },
    started() {
      return started;
    },
    finished() {
      return chunks.finished();
    },
    failure() {
      return failure;
    },
    result: () => reply.reply(),
  };
}
