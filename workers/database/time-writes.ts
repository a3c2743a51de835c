import { pipelineAnswer, readPipeline, type SingleWork } from "./hrana/pipeline.ts";

/**
 * How long a write may take, in milliseconds: all others wait for it. sqld interrupts what it runs for a caller when the
 * connection of the caller ends, and undoes it (measured: within 12 ms). Closing only the stream of a connection does not.
 */
export const maxWriteMs = 5000;

/** What is answered for a write that was stopped; `isStopped` in src/db/database-error.ts knows it. */
export function stoppedAnswer(work: SingleWork): string {
  const error = { message: `stopped after ${maxWriteMs} ms`, code: "WRITE_TIMEOUT" };
  return pipelineAnswer(work, { ok: false, error: JSON.stringify(error), code: error.code });
}

/**
 * The way to the database without the gate: ends the request of a write that takes too long.
 * @param onWrite called before each write
 */
export function timedWrites(send: typeof fetch, onWrite: () => void = () => undefined): typeof fetch {
  return async (input, init) => {
    const request = new Request(input as Request, init as RequestInit);
    const body = request.method === "POST" ? await request.text() : undefined;
    const work = body === undefined ? undefined : readPipeline(body);
    const { url, method, headers } = request;
    const sent = { method, headers, ...(body === undefined ? {} : { body }) };
    if (!work?.writes) return send(url, sent);
    onWrite();
    try {
      const response = await send(url, { ...sent, signal: AbortSignal.timeout(maxWriteMs) });
      return new Response(await response.text(), response);
    } catch (error) {
      if ((error as Error).name !== "TimeoutError") throw error;
      return new Response(stoppedAnswer(work), { headers: { "content-type": "application/json" } });
    }
  };
}
