import type { Context, Environment } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { TokenBucket } from "../../../lib/token-bucket.ts";

const secondsOfHour = 3600;
/** So many networks are remembered; the one that has been quiet for longest makes room. */
const maxNetworks = 5000;

interface Counted {
  bucket: TokenBucket;
  /** The setting that the bucket was made with. */
  max: number;
}

/** By environment: one per isolate, and one for each of several services in one process. In order of their last use. */
const states = new WeakMap<Environment, Map<string, Counted>>();

/**
 * Takes one sign-up of a client's network: a whole class can sign up at once, a script cannot go on for long. Costs no round
 * trip; what is stored is limited besides, by the places of those who wait.
 * @param network "" where it is unknown: then there is no limit
 * @returns gives it back, for a sign-up that was not even looked at
 * @throws AppError `too_many_requests`
 */
export function takeSignUp({ environment, settings }: Context, network: string): () => void {
  const { MAX_NETWORK_SIGNUPS: max } = settings;
  if (max === 0 || network === "") return () => undefined;
  let networks = states.get(environment);
  if (!networks) states.set(environment, (networks = new Map()));
  const now = Date.now();
  const found = networks.get(network);
  const counted =
    found?.max === max
      ? found
      : { bucket: new TokenBucket({ maxBurst: max, maxPerSecond: max / secondsOfHour }, now), max };
  networks.delete(network);
  networks.set(network, counted);
  for (const oldest of networks.keys()) {
    if (networks.size <= maxNetworks) break;
    networks.delete(oldest);
  }
  if (!counted.bucket.take(now))
    throw new AppError("too_many_requests", "Too many people have just signed up from your network: try again later", {
      retryAfter: Math.ceil(secondsOfHour / max),
    });
  return () => counted.bucket.giveBack();
}
