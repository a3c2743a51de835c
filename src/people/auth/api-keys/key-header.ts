import type { Environment } from "../../../context.ts";
import { apiKeySettings } from "./settings.ts";

/** The header that carries a key, or a token, where a proxy keeps `Authorization` for itself. */
export function keyHeaderOf(environment: Environment): string {
  return environment.CUSTOM_API_KEY_HEADER ?? apiKeySettings.CUSTOM_API_KEY_HEADER.default;
}

/** The header that the Messages API's clients send a key in, whatever the other one is called. */
const messagesKeyHeader = "x-api-key";
const messagesPaths = /^\/api\/(v1\/)?messages?(\/|$)/;
const modelPaths = /^\/api\/(v1\/)?models(\/|$)/;

/**
 * The headers that may carry a key on this path. Clients of the Messages API (they name its version when they look for models, too)
 * have one of their own.
 */
export function keyHeadersFor(environment: Environment, path: string, headers: Headers): string[] {
  const own = keyHeaderOf(environment);
  const isMessages = messagesPaths.test(path) || (modelPaths.test(path) && headers.has("anthropic-version"));
  return isMessages && own.toLowerCase() !== messagesKeyHeader ? [own, messagesKeyHeader] : [own];
}
