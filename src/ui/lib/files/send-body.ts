import { ApiError, readError } from "../api-error.ts";
import { signInAgain } from "../api.ts";
import { at } from "../base-path.ts";
import { online } from "../online.svelte.ts";

export interface SendOptions {
  /** Bytes of the body that have left, so far. */
  onProgress?: ((sent: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Milliseconds without any progress after which a connection counts as lost. */
const stalled = 90_000;

/**
 * Sends a body and tells how much of it has left, which `fetch` cannot. Slow is fine, standing still is not. A 401 asks the
 * person to sign in again and repeats.
 * @throws ApiError for every failure; what `signal` gives as its reason when that ended it
 */
export async function sendBody<T>(
  method: "POST" | "PUT",
  path: string,
  body: Blob | FormData,
  options: SendOptions = {},
): Promise<T> {
  let response = await send(method, path, body, options);
  if (response.status === 401 && (await signInAgain())) response = await send(method, path, body, options);
  if (!response.ok) throw await readError(response);
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiError(response.status, "unreadable", "The response couldn't be read.");
  }
}

function send(
  method: string,
  path: string,
  body: Blob | FormData,
  { onProgress, signal }: SendOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    let watch: ReturnType<typeof setTimeout>;
    const lost = (code: "offline" | "timeout", message: string): void => {
      end();
      if (code === "offline") online.failed();
      reject(new ApiError(0, code, message));
    };
    const alive = (): void => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        request.abort();
        lost("timeout", "The service didn't respond in time.");
      }, stalled);
    };
    const abort = (): void => {
      request.abort();
      end();
      reject(signal?.reason as Error);
    };
    const end = (): void => {
      clearTimeout(watch);
      signal?.removeEventListener("abort", abort);
    };
    request.open(method, at(path));
    request.setRequestHeader("accept", "application/json");
    if (body instanceof Blob) request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.addEventListener("progress", (event) => {
      alive();
      onProgress?.(event.loaded);
    });
    request.addEventListener("load", () => {
      end();
      online.answered();
      resolve(toResponse(request));
    });
    request.addEventListener("error", () => lost("offline", "The service couldn't be reached."));
    signal?.addEventListener("abort", abort);
    alive();
    request.send(body);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ["content-type", "x-request-id", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  const { status, statusText, responseText } = request;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : responseText, { status, statusText, headers });
}
