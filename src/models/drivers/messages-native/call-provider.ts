import type { Target } from "../driver.ts";
import { joinHeaders } from "../fetch-list.ts";

/** The default version of the dialect (docs.anthropic.com, "Versions"). */
const usualVersion = "2023-06-01";

/** Headers of the dialect that callers may set. */
const dialectHeaders = ["anthropic-version", "anthropic-beta"];

/**
 * Where the API may be, most likely first. The dialect's SDKs append `/v1/messages` to the known address, so an address
 * that does not end with a version is treated like that.
 */
export function messagesRoots(baseUrl: string): [string, ...string[]] {
  return /\/v\d+(?:beta\d*)?$/.test(baseUrl) ? [baseUrl] : [`${baseUrl}/v1`, baseUrl];
}

/**
 * Headers of every call over the connection. The administrator's headers override those derived from the key, which
 * override the caller's.
 * @param caller the caller's own headers; only those of the dialect are passed on
 */
export function messagesHeaders(
  connection: Target,
  more: Record<string, string>,
  caller?: Headers,
): Record<string, string> {
  const asked = dialectHeaders.flatMap((name) => {
    const value = caller?.get(name);
    return value ? [[name, value] as const] : [];
  });
  return joinHeaders(
    { "anthropic-version": usualVersion, ...more },
    Object.fromEntries(asked),
    connection.key ? { "x-api-key": connection.key } : {},
    connection.headers,
  );
}
