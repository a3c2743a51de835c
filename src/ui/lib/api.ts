import { ApiError, readError } from "./api-error.ts";
import { at } from "./base-path.ts";
import { online } from "./online.svelte.ts";

export interface ApiOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Beside those that every call has. */
  headers?: Readonly<Record<string, string>>;
  /** Added to the address; undefined and empty values are left out. */
  query?: Record<string, string | number | boolean | undefined>;
  signal?: AbortSignal | undefined;
  /** Milliseconds until the call is given up as `timeout`; 20,000 unless said otherwise. */
  timeout?: number;
  /** Sign-in calls answer 401 for their own reasons; those must not open the sign-in dialog. */
  plain401?: boolean;
  /** Small writes that must arrive also when the page is left in the same moment. */
  keepalive?: boolean;
}

type AskAgain = () => Promise<boolean>;
let askAgain: AskAgain | undefined;

/** Registers the one place that asks the person to sign in again; it resolves to true when the call may be repeated. */
export function onSignedOut(handler: AskAgain): void {
  askAgain = handler;
}

/** Asks the person to sign in again; resolves to true when a call that got a 401 may be repeated. */
export function signInAgain(): Promise<boolean> {
  return askAgain ? askAgain() : Promise.resolve(false);
}

/**
 * Calls the service with the session cookie and reads its JSON answer.
 *
 * A 401 asks the person to sign in again over the open page and then repeats the call, so that nothing typed is lost.
 * @param method HTTP method
 * @param path path on this origin, such as `/api/v1/chats/`
 * @throws ApiError for every failure
 */
export async function api<T>(method: string, path: string, options: ApiOptions = {}): Promise<T> {
  const response = await apiResponse(method, path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiError(response.status, "unreadable", "The response couldn't be read.");
  }
}

/** Like `api`, but gives the whole successful response: for streams and for answers whose headers matter. */
export async function apiResponse(method: string, path: string, options: ApiOptions = {}): Promise<Response> {
  const response = await send(method, path, options);
  if (response.ok) return response;
  if (response.status === 401 && !options.plain401 && (await signInAgain())) {
    const repeated = await send(method, path, options);
    if (repeated.ok) return repeated;
    throw await readError(repeated);
  }
  throw await readError(response);
}

async function send(method: string, path: string, options: ApiOptions): Promise<Response> {
  const url = new URL(at(path), location.origin);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  const timeout = AbortSignal.timeout(options.timeout ?? 20_000);
  const headers = new Headers({ accept: "application/json", ...options.headers });
  if (options.body !== undefined) headers.set("content-type", "application/json");
  try {
    const response = await fetch(url, {
      method,
      headers,
      keepalive: options.keepalive ?? false,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    online.answered();
    return response;
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    if (timeout.aborted) throw new ApiError(0, "timeout", "The service didn't respond in time.");
    online.failed();
    throw new ApiError(0, "offline", "The service couldn't be reached.");
  }
}
