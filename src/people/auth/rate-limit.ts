import type { Actor } from "../../access.ts";
import type { Environment, Settings } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { clientAddress } from "../../http/client-address.ts";
import { clientNetwork, isLoopback } from "../../http/client-network.ts";
import type { RateClass, RoutePolicy } from "../../http/routes.ts";
import type { TokenBucket } from "../../lib/token-bucket.ts";
import { TokenBuckets } from "../../lib/token-buckets.ts";
import { rateLimitPattern } from "../../shared/rate-limit-pattern.ts";

const secondsOfMinute = 60;
/** So many people, keys or networks are remembered for a limit, unless more are busy at the same time. */
const maxKept = 5000;

interface Limit {
  who: "person" | "key" | "organization" | "address";
  what: RateClass | "all";
  perMinute: number;
  buckets: TokenBuckets;
}

/** By environment: one per isolate, and one for each of several services in one process. Each limit by how it is written. */
const states = new WeakMap<Environment, Map<string, Limit>>();

const words: Record<Limit["what"], string> = {
  all: "requests",
  models: "calls of models",
  uploads: "uploads",
  searches: "searches",
  reads: "requests that read",
  writes: "requests that write",
};
const holders: Record<Limit["who"], string> = {
  person: "You can make",
  key: "This API key can make",
  organization: "Your organization can make",
  address: "Without signing in, your network can make",
};

/** The class of a request, as its route says, or by its method. */
export function rateClassOf(policy: RoutePolicy, method: string): RateClass {
  return policy.rate ?? (method === "GET" || method === "HEAD" ? "reads" : "writes");
}

/**
 * Takes one request from every bucket of `RATE_LIMITS` that it falls under. Without limits it costs nothing, and never a round
 * trip. On the edge each isolate counts for itself.
 * @throws AppError `too_many_requests` with the limit that is used up; then none is taken
 */
export function takeRequest(
  { environment, settings, actor }: { environment: Environment; settings: Pick<Settings, "RATE_LIMITS">; actor: Actor },
  rateClass: RateClass,
  headers: Headers,
): void {
  if (settings.RATE_LIMITS.length === 0) return;
  const now = Date.now();
  const taken: TokenBucket[] = [];
  for (const entry of settings.RATE_LIMITS) {
    const limit = limitOf(environment, entry);
    if (limit.what !== "all" && limit.what !== rateClass) continue;
    const holder = holderOf(limit.who, actor, environment, headers);
    if (holder === undefined) continue;
    const bucket = limit.buckets.open(holder, now);
    if (bucket.take(now)) {
      taken.push(bucket);
      continue;
    }
    for (const other of taken) other.giveBack();
    throw new AppError(
      "too_many_requests",
      `${holders[limit.who]} ${limit.perMinute} ${words[limit.what]} a minute: try again later`,
      { retryAfter: Math.max(1, Math.ceil(secondsOfMinute / limit.perMinute)) },
    );
  }
}

function limitOf(environment: Environment, entry: string): Limit {
  let limits = states.get(environment);
  if (!limits) states.set(environment, (limits = new Map()));
  const known = limits.get(entry);
  if (known) return known;
  const [, who, what, number] = rateLimitPattern.exec(entry)!;
  const perMinute = Number(number);
  // A minute's worth at once: pages and scripts ask in bursts.
  const bucket = { maxBurst: perMinute, maxPerSecond: perMinute / secondsOfMinute };
  const limit = { who, what, perMinute, buckets: new TokenBuckets(bucket, maxKept) } as Limit;
  limits.set(entry, limit);
  return limit;
}

/** Undefined where the limit is not for this caller. */
function holderOf(who: Limit["who"], actor: Actor, environment: Environment, headers: Headers): string | undefined {
  if (who === "address") {
    if (actor.kind !== "anonymous") return undefined;
    const address = clientAddress(environment, headers);
    // People behind a proxy that is not trusted to say who they are all come from here.
    return address === undefined || isLoopback(address) ? undefined : clientNetwork(address);
  }
  if (actor.kind !== "user") return undefined;
  if (who === "person") return actor.id;
  if (who === "organization") return actor.organizationId;
  return actor.credential.kind === "api-key" ? actor.credential.keyId : undefined;
}
