import { newId } from "../../lib/id.ts";
import { realTimers } from "../../lib/timers.ts";
import { networkFailure } from "../errors/network-failure.ts";
import { emptyAnswer, oversizedAnswer } from "../errors/upstream-error.ts";
import { repairCompletion } from "../repair/convert-completion.ts";
import { createStreamRepair } from "../repair/repair-stream.ts";
import { createReplyAccumulator, type ReasoningField, type Reply, replyFromCompletion } from "./accumulate-reply.ts";
import { type AnswerBodyOptions, createAnswerBody } from "./answer-body.ts";
import { answerHeaders } from "./answer-headers.ts";
import { type AnswerStreamOptions, createAnswerStream, defaultMaxAnswerBytes } from "./answer-stream.ts";
import { answerFromText } from "./read-completion.ts";
import { createUpstreamReader, type OpenedAnswer, type UpstreamReader } from "./upstream-reader.ts";

export interface ReadAnswerOptions extends AnswerStreamOptions, AnswerBodyOptions {
  /** Whether the caller asked for `stream: true`. */
  stream: boolean;
  /**
   * How long the status line of a stream is held back, milliseconds, so that an early failure can still become a
   * status. Not longer than the first comment line is due.
   */
  peekMs?: number | undefined;
}

/** The answer for the caller. `headers` may be copied; the sender sets content type and length. */
export type UpstreamAnswer =
  | { kind: "stream"; body: ReadableStream<Uint8Array>; headers: Headers; finished: Promise<Reply> }
  | { kind: "json"; value: Record<string, unknown>; body: string; headers: Headers; reply: Reply };

const defaultPeekMs = 10_000;

/**
 * Reads an upstream's answer and converts it to the form that the caller requested (stream or document).  The outcome
 * is decided before the status line is sent: everything invalid is thrown as an UpstreamError with the status for the
 * caller. For a stream this holds until its first chunk or until `peekMs` have passed, whichever is sooner; then the
 * body begins, comment lines keep it alive, and a failure is an error event.
 * @param answer the upstream's answer, or its promise: upstreams that load a model first hold their status line back
 *   for minutes, and a caller's stream begins without it
 */
export async function readUpstreamAnswer(
  answer: Response | Promise<Response>,
  options: ReadAnswerOptions,
): Promise<UpstreamAnswer> {
  return options.stream ? await readAsStream(answer, options) : await readAsCompletion(answer, options);
}

async function readAsStream(answer: Response | Promise<Response>, options: ReadAnswerOptions): Promise<UpstreamAnswer> {
  const timers = options.timers ?? realTimers;
  const since = timers.now();
  const source = createAnswerStream(answer, options);
  const first = source.next();
  let timer: unknown;
  const patience = new Promise<void>((resolve) => {
    timer = timers.set(() => {
      source.commit();
      resolve();
    }, options.peekMs ?? defaultPeekMs);
  });
  try {
    await Promise.race([first, patience]);
  } finally {
    timers.clear(timer);
  }
  const body = createAnswerBody(source, options, first, since);
  return { kind: "stream", body, headers: source.headers(), finished: source.finished };
}

async function readAsCompletion(
  answer: Response | Promise<Response>,
  options: ReadAnswerOptions,
): Promise<UpstreamAnswer> {
  const reader = createUpstreamReader(answer, options);
  try {
    const opened = await reader.open();
    const isStream = opened.form === "events" || opened.form === "lines";
    return isStream ? await gatherStream(reader, opened, options) : await readDocument(reader, opened, options);
  } catch (error) {
    const failure = networkFailure(error);
    reader.cancel(failure);
    throw failure;
  } finally {
    reader.close();
  }
}

async function readDocument(
  reader: UpstreamReader,
  opened: OpenedAnswer,
  options: ReadAnswerOptions,
): Promise<UpstreamAnswer> {
  const { text, ended } = await reader.readText(opened, options.maxAnswerBytes ?? defaultMaxAnswerBytes);
  const { form, headers } = opened;
  const document = answerFromText(text, ended, { form, headers, secrets: options.secrets });
  if (document.kind === "lines") {
    const bytes = new TextEncoder().encode(document.text);
    return await gather(options, opened, async (push) => push(bytes));
  }
  const { completion } = document;
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const { model, reasoningTags, onlyTool } = options;
  let reasoningField: ReasoningField | undefined;
  const onReasoningField = (field: ReasoningField): void => void (reasoningField = field);
  const repairs = { reasoningTags, onlyTool, onReasoningField };
  const changed = repairCompletion(completion, { model, now, newId: options.newId ?? newId, ...repairs });
  if (changed === undefined) throw emptyAnswer();
  // A list around the document is not the caller's; otherwise an untouched document goes on in its own spelling.
  const own = !changed && text.trimStart().startsWith("{");
  return {
    kind: "json",
    value: completion,
    body: own ? text : JSON.stringify(completion),
    headers: answerHeaders(headers),
    reply: { ...replyFromCompletion(completion), reasoningField },
  };
}

async function gatherStream(
  reader: UpstreamReader,
  opened: OpenedAnswer,
  options: ReadAnswerOptions,
): Promise<UpstreamAnswer> {
  return await gather(options, opened, async (push) => {
    opened.head.forEach(push);
    for (let bytes = await reader.read(); bytes && push(bytes);) bytes = await reader.read();
  });
}

/** Collects a stream into one completion, limited like a document. */
async function gather(
  options: ReadAnswerOptions,
  opened: OpenedAnswer,
  run: (push: (bytes: Uint8Array) => boolean) => Promise<unknown>,
): Promise<UpstreamAnswer> {
  const maxLength = options.maxAnswerBytes ?? defaultMaxAnswerBytes;
  const accumulator = createReplyAccumulator({ onDelta: options.onDelta, everything: true, maxLength });
  const repair = createStreamRepair({ ...options, includeUsage: true, reply: accumulator });
  try {
    await run((bytes) => {
      repair.push(bytes);
      return !repair.done();
    });
    repair.end();
  } catch (error) {
    repair.interrupt(networkFailure(error));
  }
  const failure = repair.failure();
  if (failure) throw failure;
  const reply = repair.result();
  if (reply.truncated) throw oversizedAnswer();
  const value = accumulator.completion();
  return { kind: "json", value, body: JSON.stringify(value), headers: answerHeaders(opened.headers), reply };
}
