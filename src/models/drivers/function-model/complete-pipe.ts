import type { AppError } from "../../../errors.ts";
import { isRecord } from "../../../lib/json.ts";
import { pluginError } from "../../../plugins/failure.ts";
import type { PluginResult } from "../../../plugins/plugin-host.ts";
import { completionFromText } from "../../../upstream/chunks/chunk-builder.ts";
import { holdsError } from "../../../upstream/errors/read-upstream-error.ts";
import { UpstreamError } from "../../../upstream/errors/upstream-error.ts";
import type { CompletionCall } from "../driver.ts";
import { createPipeFrames, isEventStream, textIn } from "./pipe-frames.ts";

/** Calls one function for one answer. */
export interface PipeRun {
  /** Of the function, for people. */
  name: string;
  /** Calls it with the body; `onChunk` gets its yielded values in order. */
  call(
    body: Record<string, unknown>,
    signal: AbortSignal,
    onChunk: (value: unknown) => Promise<void>,
  ): Promise<PluginResult>;
  /** Sends an event that was yielded among the chunks. */
  emit(event: unknown): Promise<void>;
}

const encoder = new TextEncoder();

/**
 * The answer of a function: its return value or yielded values as a chat-completions answer. Resolves when the first
 * piece, or the whole answer, has arrived.
 * @throws UpstreamError for a function that fails before its first output
 */
export async function completePipe(call: CompletionCall, pipe: PipeRun): Promise<Response> {
  const body = { ...call.body, model: call.model };
  const frames = createPipeFrames();
  const channel = createChannel();
  const started = Promise.withResolvers<Response>();
  let hasStarted = false;

  const start = (): void => {
    if (hasStarted) return;
    hasStarted = true;
    started.resolve(new Response(channel.body, { headers: { "content-type": "text/event-stream" } }));
  };
  const onChunk = async (value: unknown): Promise<void> => {
    const { frames: text, events } = frames.add(value);
    for (const event of events) await pipe.emit(event);
    if (text === "") return;
    start();
    await channel.write(text);
  };
  const finish = async (result: PluginResult): Promise<void> => {
    if (!hasStarted && !(result.ok && result.streamed)) return started.resolve(answerOf(result, call.model, pipe.name));
    start();
    await channel.write(result.ok ? frames.end() : errorFrame(failureOf(pluginError(result.error, pipe.name))));
    channel.close();
  };
  pipe
    .call(body, call.signal, onChunk)
    .then(finish)
    .catch((error: unknown) => {
      started.reject(error);
      channel.fail(error);
    });
  return started.promise;
}

/** The answer of a function that did not stream. @throws UpstreamError */
function answerOf(result: PluginResult, model: string, name: string): Response {
  if (!result.ok) throw failureOf(pluginError(result.error, name));
  const { value } = result;
  if (typeof value === "string" && isEventStream(value)) return eventsOf([value]);
  if (Array.isArray(value)) return eventsOf(value);
  if (!isRecord(value)) return Response.json(completionFromText(textOf(value), { model }));
  if (Array.isArray(value["choices"]) || holdsError(value)) return Response.json(value);
  const text = textIn(value);
  if (text === undefined)
    throw new UpstreamError(502, `${name} returned an object that is not a completion.`, {
      code: "upstream_invalid_answer",
    });
  return Response.json(completionFromText(text, { model }));
}

/** A function may use events for all of its output and return nothing. */
function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

function eventsOf(values: readonly unknown[]): Response {
  const frames = createPipeFrames();
  const text = values.map((value) => frames.add(value).frames).join("") + frames.end();
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** Converts a function's failure to that of an upstream, which all dialects can report. */
function failureOf({ status, message, code, retryAfter }: AppError): UpstreamError {
  return new UpstreamError(status, message, {
    code,
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
  });
}

function errorFrame(error: UpstreamError): string {
  return `data: ${JSON.stringify(error.toStreamError())}\n\n`;
}

interface Channel {
  body: ReadableStream<Uint8Array>;
  /** Resolves when the value is read, or never will be. */
  write(text: string): Promise<void>;
  close(): void;
  fail(error: unknown): void;
}

/** A stream with backpressure: the writer waits for its reader. */
function createChannel(): Channel {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isOver = false;
  let wanted = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => wanted.resolve(),
      cancel() {
        isOver = true;
        wanted.resolve();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    async write(text) {
      await wanted.promise;
      if (isOver) return;
      wanted = Promise.withResolvers<void>();
      controller.enqueue(encoder.encode(text));
    },
    close() {
      if (isOver) return;
      isOver = true;
      controller.close();
    },
    fail(error) {
      if (isOver) return;
      isOver = true;
      controller.error(error);
    },
  };
}
