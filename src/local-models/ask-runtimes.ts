import type { Context } from "../context.ts";
import { callConnections } from "../models/call-model.ts";
import type { Connection } from "../models/connections/connection.ts";
import { headersOf } from "../models/drivers/fetch-list.ts";

/** A call prepared for one runtime. */
export interface RuntimeRequest {
  runtime: Connection;
  /** Below the runtime's address, with the query. */
  path: string;
  body: Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> | null;
}

export interface AskOptions {
  method: string;
  headers: Record<string, string>;
  /** Lets the runtime go, also before its first byte; to be fired too when the answer is let go. */
  signal: AbortSignal;
  /** Whether it may be asked twice: nothing that it holds is changed by the call. */
  idempotent: boolean;
  /** The model that is asked, for administrators; empty for none. */
  model: string;
}

export interface RuntimeAnswer {
  /** Who was asked last: whose answer it is, unless all of them failed. */
  runtime: Connection;
  /** Everyone who was asked. */
  asked: readonly Connection[];
  response: Response;
}

/**
 * Asks a runtime according to its connection's policy; if it fails before the first byte, the next one.
 * @param requests at least one; each for another runtime
 * @throws UpstreamError if none responds, or has capacity for the call
 */
export async function askRuntimes(
  ctx: Context,
  requests: readonly RuntimeRequest[],
  options: AskOptions,
): Promise<RuntimeAnswer> {
  const { signal, idempotent, model } = options;
  const [first, ...others] = requests.map(({ runtime }) => runtime);
  const asked: Connection[] = [];
  const response = await callConnections(
    ctx,
    [first!, ...others],
    (runtime, until) => {
      asked.push(runtime);
      return send(
        ctx,
        requests.find((request) => request.runtime === runtime)!,
        options,
        until,
      );
    },
    { signal, idempotent, model },
  );
  return { runtime: asked.at(-1) ?? first!, asked, response };
}

function send(
  ctx: Context,
  { runtime, path, body }: RuntimeRequest,
  { method, headers }: AskOptions,
  signal: AbortSignal,
): Promise<Response> {
  return ctx.outbound.trusted(`${runtime.baseUrl}${path}`, {
    method,
    headers: headersOf(runtime, headers),
    body: method === "GET" || method === "HEAD" ? null : body,
    redirect: "manual",
    signal,
    // Node wants to be told that a stream is sent while the answer may come already.
    ...(body instanceof ReadableStream ? { duplex: "half" as const } : {}),
  });
}
