import type { TrafficMeter } from "./traffic-meter.ts";

/**
 * One hop of a request, counted: address, headers and body that leave, and the body that comes back. What a body without a
 * stated length sends is counted as it passes, and stopped where the budget ends.
 * @throws Error where the budget is used up
 */
export async function fetchMetered(meter: TrafficMeter, way: typeof fetch, request: Request): Promise<Response> {
  const { host } = new URL(request.url);
  meter.send(host, headLength(request) + (statedLength(request.headers) ?? 0), Date.now());
  meter.request(host);
  const isOpen = request.body !== null && statedLength(request.headers) === undefined;
  const response = isOpen ? await sendCounted(meter, way, request, host) : await way(request);
  if (!response.body || response.webSocket) return response;
  const stated = statedLength(response.headers);
  if (stated !== undefined) {
    meter.receive(host, stated);
    return response;
  }
  // Read here, it is unpacked: said to be packed, it would be packed again.
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  const { status, statusText } = response;
  const body = response.body.pipeThrough(counting((bytes) => meter.receive(host, bytes)));
  return new Response(body, { status, statusText, headers });
}

/** The runtime would end a body that is stopped as if it were whole: so the request ends with it. */
async function sendCounted(meter: TrafficMeter, way: typeof fetch, request: Request, host: string): Promise<Response> {
  const stop = new AbortController();
  let reason: Error | undefined;
  const counted = counting((bytes) => {
    try {
      meter.send(host, bytes, Date.now());
    } catch (error) {
      reason = error as Error;
      stop.abort(reason);
      throw error;
    }
  });
  const body = request.body!.pipeThrough(counted);
  const signal = AbortSignal.any([request.signal, stop.signal]);
  try {
    const response = await way(new Request(request, { method: request.method, body, signal }));
    if (!reason) return response;
    await response.body?.cancel();
  } catch (error) {
    if (!reason) throw error;
  }
  throw reason;
}

function counting(count: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
}

function headLength(request: Request): number {
  let length = request.url.length;
  for (const [name, value] of request.headers) length += name.length + value.length;
  return length;
}

function statedLength(headers: Headers): number | undefined {
  const text = headers.get("content-length");
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
