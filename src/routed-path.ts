import { getPath } from "hono/utils/url";
import { scimPath } from "./scim/paths.ts";

/** Other paths of Open WebUI for the same things, which its scripts use. */
const aliases: readonly (readonly [RegExp, string])[] = [
  // Its way to its providers, the base address of many an SDK: here it leads to all models.
  [/^\/openai\/(?:v1\/)?(models|chat\/completions|embeddings|responses(?:\/[^/]+){0,2})\/?$/, "/api/v1/$1"],
  // Where the contract has the address of a channel's webhook.
  [/^\/api(\/channels\/webhooks\/[^/]+\/[^/]+(?:\/slack|\/github)?)\/?$/, "/api/v1$1"],
  // Content under its file name.
  [/^(\/api\/v1\/files\/[^/]+\/content)\/(?!html$)[^/]+$/, "$1"],
];

/** The path for routing, and for checking API keys against their endpoints. */
export function routedPath(request: Request): string {
  return aliases.reduce((path, [pattern, place]) => path.replace(pattern, place), scimPath(getPath(request)));
}
