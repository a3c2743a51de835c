import type { Target } from "../driver.ts";

/** The version of the dialect that is spoken where the caller names none (docs.anthropic.com, "Versions"). */
const usualVersion = "2023-06-01";

/** Headers of the dialect that callers may set. */
const dialectHeaders = ["anthropic-version", "anthropic-beta"];

/**
 * Where the API may begin, most likely first. The dialect's SDKs append `/v1/messages` to the address that people know, so an
 * address that does not end in a version is one of those.
 */
export function messagesRoots(baseUrl: string): [string, ...string[]] {
  return /\/v\d+(?:beta\d*)?$/.test(baseUrl) ? [baseUrl] : [`${baseUrl}/v1`, baseUrl];
}

/**
 * Headers of every call over the connection. What the administrator set wins over what follows from the key, and that over
 * what the caller said.
 * @param caller the caller's own headers; only the dialect's go on
 */
export function messagesHeaders(connection: Target, more: Record<string, string>, caller?: Headers): Headers {
  const headers = new Headers({ "anthropic-version": usualVersion, ...more });
  for (const name of dialectHeaders) {
    const value = caller?.get(name);
    if (value) headers.set(name, value);
  }
  if (connection.key) headers.set("x-api-key", connection.key);
  for (const [name, value] of Object.entries(connection.headers)) headers.set(name, value);
  return headers;
}
