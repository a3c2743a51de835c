import { networkFailure } from "../chat/completions/network-failure.ts";
import { cancelledRequest } from "../chat/completions/upstream-error.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { callConnection } from "../models/call-model.ts";
import type { Connection } from "../models/connections/connection.ts";
import { headersOf } from "../models/drivers/fetch-list.ts";

/** A call as one runtime is to get it. */
export interface RuntimeRequest {
  runtime: Connection;
  /** Below the runtime's address, with the query. */
  path: string;
  body: Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> | null;
}

export interface AskOptions {
  method: string;
  headers: Record<string, string>;
  /** Lets the runtime go, also before its first byte. */
  signal: AbortSignal;
  /** Whether it may be asked twice: nothing that it holds is changed by the call. */
  idempotent: boolean;
}

export interface RuntimeAnswer {
  runtime: Connection;
  response: Response;
}

/** What another runtime with the same model may do better: this one is away, has too much to do, or has lost the model. */
const elsewhere = new Set([404, 429, 500, 502, 503, 504]);

/**
 * Asks the runtimes one after the other, as long as nothing has come of the one before: the first answer that is one counts, or
 * what the last of them said.
 * @param requests at least one; several only where the call is `idempotent`
 * @throws UpstreamError where no runtime answered at all
 */
export async function askRuntimes(
  ctx: Context,
  requests: readonly RuntimeRequest[],
  options: AskOptions,
): Promise<RuntimeAnswer> {
  const { signal, idempotent } = options;
  let failure: unknown;
  for (const [at, request] of requests.entries()) {
    const isLast = at === requests.length - 1;
    const { runtime } = request;
    try {
      const response = await callConnection(
        ctx,
        runtime,
        (target, until) => send(ctx, target, request, options, until),
        {
          signal,
          idempotent,
        },
      );
      if (isLast || !elsewhere.has(response.status)) return { runtime, response };
      await response.body?.cancel();
    } catch (error) {
      if (signal.aborted) throw cancelledRequest(signal.reason);
      if (error instanceof AppError && isLast) throw error;
      failure = error;
    }
  }
  throw networkFailure(failure);
}

function send(
  ctx: Context,
  runtime: Connection,
  { path, body }: RuntimeRequest,
  { method, headers }: AskOptions,
  signal: AbortSignal,
): Promise<Response> {
  // Node wants to be told that a stream is sent while the answer may come already.
  const half = body instanceof ReadableStream ? { duplex: "half" as const } : {};
  return ctx.outbound.trusted(`${runtime.baseUrl}${path}`, {
    method,
    headers: headersOf(runtime, headers),
    body: method === "GET" || method === "HEAD" ? null : body,
    redirect: "manual",
    signal,
    ...half,
  });
}
