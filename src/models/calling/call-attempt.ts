import type { Context, Settings } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { ByteReader } from "../../http/byte-reader.ts";
import type { StopSignal } from "../../lib/stop-signal.ts";
import { realTimers } from "../../lib/timers.ts";
import { closeCircuit, countFailure, endProbe } from "../../upstream/circuit.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import { upstreamErrorFromText } from "../../upstream/errors/read-upstream-error.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { type Connection, secretsOf } from "../connections/connection.ts";
import { type ConnectionCalls, noteFailure } from "./connection-calls.ts";
import { judgeRejection, judgeStatus, type Verdict } from "./judge-failure.ts";
import { beginAnswer, closeAnswer, openAnswer, type OpenedAnswer } from "./open-answer.ts";
import type { ConnectionPolicy } from "./schema.ts";
import type { Line, Place } from "./take-place.ts";

/** A connection over which a call can be made. */
export interface Way {
  connection: Connection;
  /** The provider's own id of the model, for administrators; empty if no model is requested. */
  model: string;
  /** Makes the call; may be called again. */
  ask(signal: AbortSignal): Promise<Response>;
}

export interface CallOptions {
  /**
   * The caller's: when it fires, the provider's connection is closed immediately. Code that cancels the body must fire
   * it too.
   */
  signal: StopSignal;
  /** Whether a call that failed before its first byte may be repeated. */
  idempotent: boolean;
  /** For those who read the answer with the reader that they find here, not as a body. */
  reading?: Reading | undefined;
}

/** How an answer is read. Without it only a broken body is noticed. */
export interface Reading {
  /**
   * What was found at the end of the answer: an error if a successful status contained none, or the body broke. For administrators.
   */
  outcome: Promise<Pick<UpstreamError, "message" | "code"> | undefined>;
  /** Of the answer, with its first bytes; there when the call has succeeded, if the answer has a body. */
  reader?: ByteReader | undefined;
}

export type CallContext = Pick<Context, "environment" | "settings" | "waitUntil" | "timers">;

export interface Try extends Line {
  way: Way;
  /** Attempts left and made, and the earliest time of the next one, epoch milliseconds. */
  left: number;
  made: number;
  readyAt: number;
}

export interface FailedAttempt {
  verdict: Verdict;
  /** The caller's result if there are no further attempts: the provider's answer, or the error. */
  finish(): Response;
}

/**
 * One attempt over one connection, using the slot taken for it; the slot is released when the answer has ended.
 * @throws AppError as `ask` does; the caller's signal's reason
 */
export async function attempt(
  ctx: CallContext,
  call: number,
  place: Place<Try>,
  options: CallOptions,
): Promise<Response | FailedAttempt> {
  const { calls, policy, way } = place.line;
  calls.calls++;
  // One signal for the call, and one listener for its caller: to join signals of the runtime costs more than to read a small answer.
  const ended = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const stop = (reason: unknown): void => {
    ended.abort(reason);
    stopped.reject(reason);
  };
  const onAbort = (): void => {
    place.leave();
    stop(options.signal.reason);
  };
  const unfollow = (): void => options.signal.removeEventListener("abort", onAbort);
  const limitMs = firstByteMs(ctx.settings, policy);
  const timers = ctx.timers ?? realTimers;
  const timer = timers.set(() => stop(silentFor(limitMs)), limitMs);
  if (options.signal.aborted) stop(options.signal.reason);
  else options.signal.addEventListener("abort", onAbort);
  let isOpen = false;
  try {
    const { response, over, text, reader } = await Promise.race([stopped.promise, open(way, ended.signal, options)]);
    if (!response.ok) {
      place.leave();
      return judgeAnswer(place.line, call, response, text);
    }
    closeCircuit(calls);
    if (options.reading) options.reading.reader = reader;
    isOpen = true;
    follow(ctx, place, over, options, unfollow);
    return response;
  } catch (error) {
    place.leave();
    if (options.signal.aborted || error instanceof AppError) endProbe(calls, call);
    options.signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const failure = networkFailure(error);
    const verdict = judgeRejection(failure);
    note(place.line, failure, null);
    if (verdict.counts) countAgainst(place.line, call);
    return {
      verdict,
      finish() {
        throw failure;
      },
    };
  } finally {
    timers.clear(timer);
    if (!isOpen) unfollow();
  }
}

/**
 * Releases the slot as soon as the end of the answer is known. A finished request may be discarded together with
 * everything that it waits for, so what is known immediately is not delayed until the end of the body.
 */
function follow(
  ctx: CallContext,
  place: Place<Try>,
  over: Promise<unknown>,
  { signal, reading }: CallOptions,
  unfollow: () => void,
): void {
  const { line } = place;
  const end = () => {
    place.leave();
    unfollow();
  };
  if (reading)
    return void reading.outcome.then((error) => {
      end();
      if (error) note(line, error, null);
    });
  ctx.waitUntil(
    over.then((error) => {
      end();
      if (error !== undefined && !signal.aborted) note(line, networkFailure(error), null);
    }),
  );
}

/** Time limit for the first byte of a provider's answer, milliseconds. */
function firstByteMs(settings: Pick<Settings, "UPSTREAM_TIMEOUT">, policy: ConnectionPolicy): number {
  return (policy.first_byte_timeout ?? settings.UPSTREAM_TIMEOUT) * 1000;
}

function silentFor(milliseconds: number): UpstreamError {
  return new UpstreamError(504, `The upstream sent no data for ${milliseconds / 1000} s.`, {
    type: "upstream_error",
    code: "upstream_timeout",
  });
}

/** What comes after the signal has fired is given up. */
async function open(way: Way, signal: AbortSignal, { reading }: CallOptions): Promise<OpenedAnswer & { text: string }> {
  const response = await way.ask(signal);
  if (!response.ok) return { ...(await closeAnswer(response)), over: Promise.resolve(undefined) };
  const opened = await (reading ? beginAnswer(response) : openAnswer(response));
  if (signal.aborted) await (opened.reader ?? opened.response.body)?.cancel().catch(() => undefined);
  return { ...opened, text: "" };
}

function judgeAnswer(line: Try, call: number, response: Response, text: string): FailedAttempt {
  const { status, headers } = response;
  const verdict = judgeStatus(status, headers, Date.now());
  note(line, upstreamErrorFromText(text, { status, headers, secrets: secretsOf(line.way.connection) }), status);
  if (verdict.counts) countAgainst(line, call);
  else if (status < 500) closeCircuit(line.calls);
  else endProbe(line.calls, call);
  return { verdict, finish: () => response };
}

function countAgainst({ calls, policy }: Try, call: number): void {
  if (policy.breaker_failures === 0) endProbe(calls, call);
  else countFailure(calls, call, Date.now(), policy.breaker_failures, () => policy.breaker_seconds * 1000);
}

const maxMessageLength = 300;

function note(
  { calls, way }: { calls: ConnectionCalls; way: Way },
  { message, code }: Pick<UpstreamError, "message" | "code">,
  status: number | null,
): void {
  const at = Math.floor(Date.now() / 1000);
  noteFailure(calls, { at, code, status, message: message.slice(0, maxMessageLength), model: way.model });
}
