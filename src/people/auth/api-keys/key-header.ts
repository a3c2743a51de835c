import type { Environment } from "../../../context.ts";
import type { RoutePolicy } from "../../../http/routes.ts";
import { apiKeySettings } from "./settings.ts";

/** The header for a key or token if a proxy uses `Authorization` itself. */
export function keyHeaderOf(environment: Environment): string {
  return environment.CUSTOM_API_KEY_HEADER ?? apiKeySettings.CUSTOM_API_KEY_HEADER.default;
}

/** The header that the Messages API's clients send a key in, whatever the other one is called. */
const messagesKeyHeader = "x-api-key";

/** The headers that may contain a key, besides `Authorization`. */
export function keyHeadersFor(environment: Environment, policy: RoutePolicy, headers: Headers): string[] {
  const own = keyHeaderOf(environment);
  const takesOther = policy.takesXApiKey?.(headers) === true && own.toLowerCase() !== messagesKeyHeader;
  return takesOther ? [own, messagesKeyHeader] : [own];
}
