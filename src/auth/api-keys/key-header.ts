import type { Environment } from "../../settings/definitions.ts";
import { apiKeySettings } from "./settings.ts";

/** The header that carries a key, or a token, where a proxy keeps `Authorization` for itself. */
export function keyHeaderOf(environment: Environment): string {
  return environment.CUSTOM_API_KEY_HEADER ?? apiKeySettings.CUSTOM_API_KEY_HEADER.default;
}
