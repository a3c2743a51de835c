import type { Environment } from "../../../context.ts";
import { apiKeySettings } from "./settings.ts";

/** The header for a key or token if a proxy uses `Authorization` itself. */
export function keyHeaderOf(environment: Environment): string {
  return environment.CUSTOM_API_KEY_HEADER ?? apiKeySettings.CUSTOM_API_KEY_HEADER.default;
}

/** The header that the Messages API's clients send a key in, whatever the other one is called. */
const messagesKeyHeader = "x-api-key";
const messagesPaths = /^\/api\/(v1\/)?messages?(\/|$)/;
const modelPaths = /^\/api\/(v1\/)?models(\/|$)/;

/**
 * The headers that may contain a key on this path. Clients of the Messages API (which send its version also when they
 * list models) have their own.
 */
export function keyHeadersFor(environment: Environment, path: string, headers: Headers): string[] {
  const own = keyHeaderOf(environment);
  const isMessages = messagesPaths.test(path) || (modelPaths.test(path) && headers.has("anthropic-version"));
  return isMessages && own.toLowerCase() !== messagesKeyHeader ? [own, messagesKeyHeader] : [own];
}
