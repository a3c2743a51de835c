/**
 * The headers of a stream of events.
 * @param upstream which headers of the provider may be shown
 */
export function streamHeaders(upstream: Headers): Headers {
  const headers = new Headers(upstream);
  headers.set("content-type", "text/event-stream; charset=utf-8");
  headers.set("cache-control", "no-cache, no-transform");
  // Reverse proxies that gather answers would hold the text back.
  headers.set("x-accel-buffering", "no");
  return headers;
}
