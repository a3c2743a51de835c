import { AppError } from "../../errors.ts";
import { readBytes } from "../../http/byte-reader.ts";
import { joinBytes } from "../../lib/join-bytes.ts";
import { gatewayStatuses } from "../../upstream/errors/gateway-statuses.ts";
import { outage, ServerFailure, tooSlow } from "./server-failure.ts";

/** Redirects of one call that are followed. */
const maxRedirects = 3;

export interface Limits {
  timeoutMs: number;
  /** Largest answer that is taken. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** Where it came from in the end. */
  url: URL;
}

/** Whether nothing of the server responded, or it is overloaded: either counts against it. */
export function isOutage(status: number): boolean {
  return status === 503 || gatewayStatuses.has(status);
}

/**
 * One call with its answer read, limited in time and size. Redirects are followed only within the same place, so that
 * keys and sessions are not sent elsewhere, and no answer leads into a private network.
 * @throws ServerFailure
 */
export async function fetchBounded(
  fetch: typeof globalThis.fetch,
  address: URL,
  init: { method?: string; headers: Headers; body?: BodyInit | undefined },
  limits: Limits,
): Promise<Answer> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ending.abort();
  }, limits.timeoutMs);
  limits.signal?.addEventListener("abort", stop, { once: true });
  if (limits.signal?.aborted) stop();
  // Not every home rejects at once what it is told to let go of.
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(new DOMException("The call was cancelled", "AbortError")));
    if (ending.signal.aborted) reject(new DOMException("The call was cancelled", "AbortError"));
  });
  ended.catch(() => undefined);
  let url = address;
  try {
    return await Promise.race([follow(), ended]);
  } catch (error) {
    if (error instanceof ServerFailure) throw error;
    if (late) throw tooSlow(url, Math.max(1, Math.round(limits.timeoutMs / 1000)));
    if (limits.signal?.aborted) throw new ServerFailure("refused", "The call was cancelled");
    if (error instanceof AppError) throw new ServerFailure("refused", error.message);
    throw await outage(error, url, fetch, ending.signal);
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener("abort", stop);
    ending.abort();
  }

  async function follow(): Promise<Answer> {
    let { method = "GET", body } = init;
    for (let hop = 0; ; hop++) {
      const response = await fetch(url.href, {
        method,
        headers: init.headers,
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        signal: ending.signal,
      });
      const target = redirectOf(response, url);
      if (!target) return { status: response.status, headers: response.headers, bytes: await read(response), url };
      await response.body?.cancel();
      if (hop === maxRedirects) throw new ServerFailure("answer", `${address.host} redirects too many times`);
      if (!isSamePlace(url, target))
        throw new ServerFailure("answer", `${url.host} redirects to ${target.origin}: enter the final address`);
      const becomesGet = response.status === 303 || (method === "POST" && response.status < 303);
      if (becomesGet && method !== "GET" && method !== "HEAD") {
        method = "GET";
        body = undefined;
        init.headers.delete("content-type");
      }
      url = target;
    }
  }

  async function read(response: Response): Promise<Uint8Array> {
    if (!response.body) return new Uint8Array();
    const reader = readBytes(response.body as ReadableStream<Uint8Array>);
    const parts: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) break;
      length += value.byteLength;
      if (length > limits.maxBytes) {
        void reader.cancel().catch(() => undefined);
        throw new ServerFailure("answer", `${url.host} returned more than ${limits.maxBytes / 1_000_000} MB`);
      }
      parts.push(value);
    }
    return joinBytes(parts);
  }
}

function redirectOf(response: Response, from: URL): URL | undefined {
  const location = response.headers.get("location");
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return undefined;
  return URL.canParse(location, from) ? new URL(location, from) : undefined;
}

/** The same origin, or the same host with encryption. */
function isSamePlace(from: URL, to: URL): boolean {
  if (to.origin === from.origin) return true;
  return from.protocol === "http:" && to.protocol === "https:" && to.hostname === from.hostname && to.port === "";
}
