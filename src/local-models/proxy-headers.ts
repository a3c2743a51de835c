/**
 * What of a request's headers a runtime gets. It is an allow-list: credentials, cookies, what proxies add on the way and the
 * `Origin`, for which runtimes refuse requests of web pages, are nobody's business behind here.
 */
const sent =
  /^(?:accept|accept-language|content-type|user-agent|range|if-[a-z-]+|idempotency-key|traceparent|tracestate|(?:anthropic|openai|x-stainless)-[a-z0-9-]+)$/;

/**
 * What of an answer's headers does not go on: those of the one connection (RFC 9110, section 7.6.1), what is true only of bytes
 * as they came over the wire, what would speak for this origin, and addresses that only the service can reach.
 */
const withheld =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|content-encoding|content-length|set-cookie|location|www-authenticate|access-control-.*|strict-transport-security|content-security-policy.*|alt-svc|clear-site-data|service-worker-allowed|x-request-id|nel|report-to|reporting-endpoints)$/;

/** The headers of a request as its runtime gets them; the connection's own come on top. */
export function requestHeaders(headers: Headers): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of headers) if (sent.test(name)) result[name] = value;
  // What comes back goes on as it is.
  result["accept-encoding"] = "identity";
  return result;
}

/** The headers of an answer as the caller gets them. */
export function responseHeaders(headers: Headers): Headers {
  const result = new Headers();
  for (const [name, value] of headers) if (!withheld.test(name)) result.append(name, value);
  // A runtime's own pages must not act for anyone who is signed in here.
  result.set("content-security-policy", "default-src 'none'; sandbox");
  // Reverse proxies that gather answers would hold streams back.
  result.set("x-accel-buffering", "no");
  return result;
}
