import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { fetchMcpListing } from "./mcp/fetch-listing.ts";
import { fetchOpenApiListing } from "./openapi/fetch-listing.ts";
import { noteAnswer, noteOutage, pausedFor } from "./server-circuit.ts";
import { ServerFailure } from "./server-failure.ts";
import { remember, toolServerState, type Known, type Listing } from "./tool-server-state.ts";
import type { ToolServer } from "./tool-server.ts";

/** Seconds for which a list of functions is used without asking again. */
export const freshSeconds = 300;
/** Seconds after which an old list is not used any more, even if the server is slow. */
const maxAgeSeconds = 24 * 3600;
const maxListings = 300;
/** Characters of one list, and of all lists that an isolate remembers: anyone who keeps a server decides how long its list is. */
const maxListingLength = 2_000_000;
const maxTotalLength = 16_000_000;

/** A key for a server's address and secrets: it changes with any of these. */
export function listingKey(server: ToolServer): string {
  const { kind, url, specPath, authType, secrets } = server;
  return `${server.id} ${JSON.stringify([kind, url, specPath, authType, secrets.key, secrets.headers])}`;
}

/** Servers that know who asks may say something else to everybody. */
function personKey(user: User, server: ToolServer): string {
  const isPersonal = server.authType === "session" || server.authType === "oauth";
  return isPersonal ? `${user.id} ${listingKey(server)}` : listingKey(server);
}

/** What is known without asking; undefined if nothing is. */
export function knownListing(ctx: Pick<Context, "environment">, user: User, server: ToolServer): Known | undefined {
  return toolServerState(ctx).listings.get(personKey(user, server));
}

/** Asks the server for its functions. @throws ServerFailure */
export async function fetchListing(ctx: Context, user: User, server: ToolServer, timeoutMs: number): Promise<Listing> {
  if (server.unusable !== undefined) throw new ServerFailure("refused", server.unusable);
  return shortened(
    server.kind === "openapi"
      ? await fetchOpenApiListing(ctx, user, server, timeoutMs)
      : await fetchMcpListing(ctx, user, server, timeoutMs),
  );
}

/** Without the functions beyond what is taken of one server. */
function shortened(listing: Listing): Listing {
  let size = 0;
  const functions = listing.functions.filter((one) => (size += JSON.stringify(one).length) <= maxListingLength);
  const { length } = functions;
  if (length === listing.functions.length) return listing;
  const warning = `The descriptions of its functions are very long: only the first ${length} of ${listing.functions.length} are used`;
  return { ...listing, functions, warnings: [...listing.warnings, warning] };
}

/** Remembers a list and lets go of the oldest beyond what fits. */
function keep(ctx: Pick<Context, "environment">, key: string, known: Omit<Known, "size">): void {
  const { listings } = toolServerState(ctx);
  remember(listings, key, { ...known, size: JSON.stringify(known.listing ?? null).length }, maxListings);
  let total = 0;
  for (const { size } of listings.values()) total += size;
  for (const [oldestKey, { size }] of listings) {
    if (total <= maxTotalLength) break;
    listings.delete(oldestKey);
    total -= size;
  }
}

/**
 * Asks and remembers the result. A failed check keeps the known functions beside the failure.
 * @throws ServerFailure
 */
export async function refreshListing(
  ctx: Context,
  user: User,
  server: ToolServer,
  timeoutMs: number,
): Promise<Listing> {
  const { listings } = toolServerState(ctx);
  const key = personKey(user, server);
  try {
    const listing = await fetchListing(ctx, user, server, timeoutMs);
    noteAnswer(ctx, listingKey(server));
    const now = ctx.now();
    keep(ctx, key, { listing, error: undefined, checkedAt: now, listedAt: now });
    return listing;
  } catch (error) {
    const failure = toFailure(error);
    if (failure.kind === "outage") noteOutage(ctx, listingKey(server));
    else if (failure.kind === "answer") noteAnswer(ctx, listingKey(server));
    const { listing, listedAt = 0 } = listings.get(key) ?? {};
    keep(ctx, key, { listing, error: failure.message, checkedAt: ctx.now(), listedAt });
    throw failure;
  }
}

/**
 * The server's functions for a turn: known ones immediately, refreshed in the background if they are old; otherwise the
 * server is asked within the time limit of a turn, unless it has failed too often recently.
 * @throws ServerFailure
 */
export async function listingForTurn(
  ctx: Context,
  user: User,
  server: ToolServer,
  timeoutMs: number,
): Promise<Listing> {
  const known = knownListing(ctx, user, server);
  const age = known ? ctx.now() - known.listedAt : Infinity;
  if (known?.listing && known.error === undefined && age <= freshSeconds) return known.listing;
  const pause = pausedFor(ctx, listingKey(server));
  if (pause !== undefined)
    throw new ServerFailure("outage", `it failed several times in a row; next attempt in ${pause} s`);
  if (known?.listing && age <= maxAgeSeconds) {
    ctx.waitUntil(refreshListing(ctx, user, server, 10_000).catch(() => undefined));
    return known.listing;
  }
  return refreshListing(ctx, user, server, timeoutMs);
}

export function toFailure(error: unknown): ServerFailure {
  return error instanceof ServerFailure
    ? error
    : new ServerFailure("answer", "The server's answer could not be processed", error);
}
