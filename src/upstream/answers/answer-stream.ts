import { joinBytes } from "../../lib/join-bytes.ts";
import type { StopSignal } from "../../lib/stop-signal.ts";
import { realTimers } from "../../lib/timers.ts";
import { networkFailure } from "../errors/network-failure.ts";
import { cancelledRequest } from "../errors/upstream-error.ts";
import { chunksOfCompletion } from "../repair/convert-completion.ts";
import { createStreamRepair, type StreamRepair, type StreamRepairOptions } from "../repair/repair-stream.ts";
import type { Reply } from "./accumulate-reply.ts";
import { answerHeaders } from "./answer-headers.ts";
import { answerFromText } from "./read-completion.ts";
import { createUpstreamReader, type UpstreamReaderOptions } from "./upstream-reader.ts";

export interface AnswerStreamOptions extends StreamRepairOptions, UpstreamReaderOptions {
  /** When it fires, the stream ends with its reason, like a failure of the upstream. */
  refusal?: StopSignal | undefined;
  /** Maximum size of a whole JSON document, bytes. */
  maxAnswerBytes?: number | undefined;
}

/** The repaired stream of one upstream answer, pulled step by step. */
export interface AnswerStream {
  /**
   * The next bytes for the caller; undefined at the end. Before anything was sent or `commit` was called, a failure is
   * thrown as an UpstreamError, so that it can still become a status; afterwards it is sent as an error event.
   */
  next(): Promise<Uint8Array | undefined>;
  /** Marks the status line as sent. */
  commit(): void;
  /** Closes the upstream immediately; `next` ends. */
  cancel(reason: unknown): void;
  /** Headers for the caller; empty until the upstream has answered. */
  headers(): Headers;
  /** The answer after its end, however it ended. */
  readonly finished: Promise<Reply>;
}

/** How long to wait for usage after all choices have finished, if the upstream neither sends `[DONE]` nor ends. */
const graceMs = 10_000;
/** How long to wait for the end of the body after `[DONE]`, so that the connection can be reused. */
const drainMs = 250;
export const defaultMaxAnswerBytes = 32 * 1024 * 1024;

/** Reads an upstream's answer in any form as one stream of repaired chunks. */
export function createAnswerStream(answer: Response | Promise<Response>, options: AnswerStreamOptions): AnswerStream {
  const timers = options.timers ?? realTimers;
  const reader = createUpstreamReader(answer, options);
  const repair: StreamRepair = createStreamRepair(options);
  const onRefusal = (): void => reader.interrupt(networkFailure(options.refusal?.reason));
  options.refusal?.addEventListener("abort", onRefusal);
  let headers = new Headers();
  let opened = false;
  let committed = false;
  let closed = false;
  let graceTimer: unknown;
  let graceOver = false;
  let resolveFinished: (reply: Reply) => void = () => undefined;
  const finished = new Promise<Reply>((resolve) => {
    resolveFinished = resolve;
  });

  function settle(): void {
    timers.clear(graceTimer);
    options.refusal?.removeEventListener("abort", onRefusal);
    resolveFinished(repair.result());
  }

  function stop(): void {
    closed = true;
    reader.close();
    settle();
  }

  async function openAnswer(): Promise<Uint8Array> {
    const answered = await reader.open();
    headers = answerHeaders(answered.headers);
    opened = true;
    const { form, head } = answered;
    if (form === "events" || form === "lines") return joinBytes(head.map((bytes) => repair.push(bytes)));
    const maxBytes = options.maxAnswerBytes ?? defaultMaxAnswerBytes;
    const { text, ended } = await reader.readText(answered, maxBytes);
    const document = answerFromText(text, ended, { form, secrets: options.secrets, headers: answered.headers });
    const encoder = new TextEncoder();
    if (document.kind === "lines") return joinBytes([repair.push(encoder.encode(document.text)), repair.end()]);
    const events = chunksOfCompletion(document.completion).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
    return repair.push(encoder.encode(`${events.join("")}data: [DONE]\n\n`));
  }

  function armGrace(): void {
    if (graceTimer !== undefined) timers.clear(graceTimer);
    graceTimer = undefined;
    if (!repair.finished() || repair.done()) return;
    graceTimer = timers.set(() => {
      graceOver = true;
      reader.cancel(undefined);
    }, graceMs);
  }

  function failed(error: unknown): Uint8Array {
    if (graceOver) return repair.interrupt(cancelledRequest());
    const failure = networkFailure(error);
    return reader.cancelled() ? repair.fail(failure) : repair.interrupt(failure);
  }

  /** Waits for the end of the body for a moment. */
  async function drain(): Promise<void> {
    const timer = timers.set(() => reader.cancel(undefined), drainMs);
    try {
      if (await reader.read()) reader.cancel(undefined);
    } catch {
      // The answer is whole: how the connection ends does not matter any more.
    } finally {
      timers.clear(timer);
      stop();
    }
  }

  async function next(): Promise<Uint8Array | undefined> {
    if (closed) return undefined;
    if (repair.done()) {
      await drain();
      return undefined;
    }
    for (;;) {
      let bytes: Uint8Array;
      try {
        if (opened) {
          const read = await reader.read();
          bytes = read ? repair.push(read) : repair.end();
        } else bytes = await openAnswer();
        armGrace();
      } catch (error) {
        bytes = failed(error);
      }
      const failure = repair.failure();
      if (closed || (reader.cancelled() && failure?.code === "request_cancelled")) {
        stop();
        if (failure && !committed && !repair.started()) throw failure;
        return undefined;
      }
      if (failure) {
        reader.cancel(failure);
        stop();
        if (!committed && !repair.started()) throw failure;
        return bytes;
      }
      if (repair.done()) settle();
      if (bytes.length > 0) return bytes;
    }
  }

  return {
    next,
    commit: () => {
      committed = true;
    },
    cancel: (reason) => {
      if (closed) return;
      reader.cancel(reason);
      repair.fail(cancelledRequest(reason));
      stop();
    },
    headers: () => headers,
    finished,
  };
}
