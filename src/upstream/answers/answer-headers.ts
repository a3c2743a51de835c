/**
 * Headers of an upstream that may reach the caller: rate limits, retry times and the upstream's own request id
 * (renamed, because the service has its own). An allow-list: hop-by-hop headers, `content-encoding`, `content-length`,
 * cookies and account names must never pass.
 */
const kept = /^(?:retry-after(?:-ms)?|x-should-retry|(?:x-|anthropic-)?ratelimit-[a-z0-9-]+|openai-processing-ms)$/;
const requestIds = ["x-request-id", "request-id", "apim-request-id", "x-generation-id"];

/** The headers of an upstream's answer that may be copied to the caller. */
export function answerHeaders(upstream: Headers): Headers {
  const headers = new Headers();
  const ids = new Map<string, string>();
  for (const [name, value] of upstream) {
    if (kept.test(name)) headers.set(name, value);
    else if (requestIds.includes(name)) ids.set(name, value);
  }
  const found = requestIds.find((name) => ids.has(name));
  if (found) headers.set("x-upstream-request-id", ids.get(found)!);
  return headers;
}
