import type { Environment } from "../context.ts";

/** Where Cloudflare's edge says who calls. */
const edgeHeader = "cf-connecting-ip";

/**
 * The network address of the caller, as the part of the service says that takes connections; undefined if it is unknown.
 * It sets the header itself, so callers cannot. For limits, never for rights.
 */
export function clientAddress(environment: Environment, headers: Headers): string | undefined {
  return headers.get(environment.CLIENT_ADDRESS_HEADER ?? edgeHeader)?.trim() || undefined;
}
