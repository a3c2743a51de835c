import type { FetchLike } from "@modelcontextprotocol/client";
import type { Context } from "../../../context.ts";
import { fetchBounded } from "../bounded-fetch.ts";
import { isTrusted } from "../server-rights.ts";
import type { ToolServer } from "../tool-server.ts";

const timeoutMs = 10_000;
/** Metadata and tokens are far smaller. */
const maxBytes = 1_000_000;

/**
 * Fetches from an authorization server. The tool server names it: only addresses on the tool server's own origin may be
 * private, if that one may; all others are treated as untrusted addresses.
 */
export function oauthFetch(ctx: Context, server: Pick<ToolServer, "url" | "userId" | "organizationId">): FetchLike {
  const own = new URL(server.url).origin;
  return async (address, init) => {
    const url = new URL(address);
    const fetch = isTrusted(server) && url.origin === own ? ctx.outbound.trusted : ctx.outbound.guarded;
    const request = {
      method: init?.method ?? "GET",
      headers: new Headers(init?.headers),
      body: init?.body ?? undefined,
    };
    const { status, headers, bytes } = await fetchBounded(fetch, url, request, {
      timeoutMs,
      maxBytes,
      signal: init?.signal ?? undefined,
    });
    // Statuses that may have no body are refused a body by Response itself.
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers });
  };
}
