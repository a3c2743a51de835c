import type { Context } from "../../../context.ts";
import { readBytesUpTo } from "../../../http/read-up-to.ts";
import { isProviderAddress } from "./provider-address.ts";
import { ProviderError } from "./sso-failure.ts";

/** Largest answer that is taken from a provider, in bytes: discovery, keys, tokens and claims are far smaller. */
const maxBytes = 1_000_000;

/**
 * Fetches from a provider, which may be a private host because the environment configures it: over https (plain http on
 * loopback only), without redirects, limited in time and size. The body of the response is already read.
 * @throws ProviderError with a message for administrators.
 */
export async function fetchFromProvider(ctx: Context, address: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(address);
  if (!isProviderAddress(url))
    throw new ProviderError(`${url.origin} uses plain http, which is allowed on this machine only`);
  const seconds = ctx.settings.OAUTH_TIMEOUT;
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), seconds * 1000);
  try {
    const response = await ctx.outbound.trusted(address, { ...init, redirect: "manual", signal: ending.signal });
    const bytes = await readBytesUpTo(response.body, maxBytes);
    if (bytes === undefined) throw new ProviderError(`${url.origin} returned more than ${maxBytes} bytes`);
    const { status, headers } = response;
    // Statuses that may have no body are refused a body by Response itself.
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (ending.signal.aborted)
      throw new ProviderError(`${url.origin} did not answer within ${seconds} seconds`, { cause: error });
    throw new ProviderError(`${url.origin} cannot be reached`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
