import { AppError } from "../errors.ts";
import { readBytes } from "../http/byte-reader.ts";
import { readBounded } from "../http/read-bounded.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";
import { explainRejection } from "../upstream/errors/explain-rejection.ts";
import { maxRetryAfterSeconds } from "./schedule.ts";
import type { AttemptError } from "./schema.ts";

/** Time limits for a receiver's response, and for its body; milliseconds. */
export const answerTimeoutMs = 15_000;
const bodyTimeoutMs = 3000;

/** What is kept of an answer: bytes of the body, headers, and characters of each. */
const maxKeptBytes = 4096;
const maxKeptHeaders = 40;
const maxKeptHeaderLength = 500;

/** Headers of answers that are nobody's business. */
const secretHeaders = new Set(["set-cookie", "authorization", "proxy-authorization", "x-api-key"]);

/** Set by the fence around the service on answers that stand for requests which did not get through. */
const fenceHeader = "x-parley-egress";

export interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The outcome of an attempt. */
export interface AttemptOutcome {
  /** Milliseconds until the answer began, or until there was none. */
  duration: number;
  /** Null where there was no answer. */
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  /** Null for an answer that counts, whatever its status. */
  error: AttemptError | null;
  /** Seconds, as the receiver said. */
  retryAfter: number | undefined;
  /** The receiver wants no more of this delivery, as receivers of Svix say it. */
  isAborted: boolean;
}

/**
 * Sends a delivery once. A response counts if it begins in time: its body, however long or slow, is only logged.
 * @param guarded the fetch for untrusted addresses; checks the address each time
 * @param signal cancels it without an outcome
 * @throws only the signal's reason
 */
export async function sendAttempt(
  guarded: typeof fetch,
  { url, headers, body }: AttemptRequest,
  { signal, time = answerTimeoutMs }: { signal?: AbortSignal; time?: number } = {},
): Promise<AttemptOutcome> {
  const late = new AbortController();
  let timer = setTimeout(() => late.abort(new DOMException("No response in time", "TimeoutError")), time);
  const begun = Date.now();
  try {
    const response = await guarded(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    });
    const duration = Date.now() - begun;
    clearTimeout(timer);
    timer = setTimeout(() => late.abort(new DOMException("No response body in time", "TimeoutError")), bodyTimeoutMs);
    const text = await startOf(response);
    if (response.headers.has(fenceHeader)) return { ...noAnswer, duration, error: "unreachable" };
    const { status } = response;
    return {
      duration,
      status,
      headers: keptOf(response.headers),
      body: text,
      error: status >= 300 && status < 400 ? "redirect" : null,
      retryAfter: retryAfterSeconds(response.headers.get("retry-after"), Date.now() / 1000, maxRetryAfterSeconds),
      isAborted: response.headers.get("webhook-delivery") === "abort-message",
    };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const duration = Date.now() - begun;
    return { ...noAnswer, duration, error: late.signal.aborted ? "timeout" : await failureOf(error, url, guarded) };
  } finally {
    clearTimeout(timer);
  }
}

/** An attempt that nobody answered. */
export const noAnswer = { status: null, headers: null, body: null, retryAfter: undefined, isAborted: false } as const;

/** The beginning of the body; nothing where it breaks. */
async function startOf(response: Response): Promise<string> {
  if (!response.body) return "";
  try {
    const { text } = await readBounded(readBytes(response.body as ReadableStream<Uint8Array>), maxKeptBytes);
    return text.slice(0, maxKeptBytes).toWellFormed();
  } catch {
    return "";
  }
}

function keptOf(headers: Headers): Record<string, string> {
  const kept = [...headers].filter(([name]) => !secretHeaders.has(name)).slice(0, maxKeptHeaders);
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, maxKeptHeaderLength)]));
}

/** For the look at what is wrong with an address, milliseconds. */
const lookTimeoutMs = 3000;

/**
 * What a rejected fetch stands for; runtimes say it in words only, and some of them not at all.
 * @param fetch the way by which it was called, for another look
 */
async function failureOf(error: unknown, url: string, fetch: typeof globalThis.fetch): Promise<AttemptError> {
  if (error instanceof AppError && error.code === "address_not_allowed") return "private_address";
  const { reason } = await explainRejection(error, url, fetch, AbortSignal.timeout(lookTimeoutMs));
  return reason === "tls" || reason === "timeout" ? reason : "unreachable";
}
