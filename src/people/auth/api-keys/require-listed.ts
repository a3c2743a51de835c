import { AppError } from "../../../errors.ts";
import type { DeclaredRoute } from "../../../http/routes.ts";
import type { Resolved } from "../resolve-actor.ts";
import { type EndpointList, isSpelledAs } from "./endpoint-list.ts";

/**
 * With endpoint restrictions, a key is accepted for the listed routes only, from any header or cookie; that of a service
 * account with a list of its own only for what is in both.
 * @throws AppError `endpoint_not_listed` (401).
 */
export function requireListed(
  { actor, settings }: Resolved,
  endpoints: EndpointList,
  route: DeclaredRoute,
  url: string,
): void {
  if (actor.kind !== "user" || actor.credential.kind !== "api-key") return;
  const { allowedEndpoints } = actor.credential;
  const isRestricted = settings.ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS;
  if (!isRestricted && allowedEndpoints === null) return;
  // As it was sent: a URL object would take dots and backslashes apart.
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? "";
  const isListed = (list: string) => endpoints.includes(list, route) && isSpelledAs(path, route.path);
  if (isRestricted && !isListed(settings.API_KEYS_ALLOWED_ENDPOINTS))
    throw new AppError(
      "endpoint_not_listed",
      "API keys cannot call this endpoint: it is not in the list of allowed endpoints",
    );
  if (allowedEndpoints !== null && !isListed(allowedEndpoints))
    throw new AppError(
      "endpoint_not_listed",
      "This API key cannot call this endpoint: it is not in the key's list of allowed endpoints",
    );
}
