import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isKnownNetwork, type Origin } from "./known-network.ts";
import { maxNetworkChecks, requirePasswordCheck, reservePasswordCheck } from "./slow-down.ts";

type Reserved = Awaited<ReturnType<typeof reservePasswordCheck>>;

const isNetwork = ({ own, isKnownDevice }: Origin): boolean => own !== undefined && !isKnownDevice;

/** Takes one check of the device's or the network's bucket; strangers take one of the account's too. First in the batch. */
export function reserveChecks(ctx: Context, origin: Origin) {
  const { own, account } = origin;
  const isStranger = isNetwork(origin) ? sql`NOT ${isKnownNetwork(ctx, origin)}` : sql`FALSE`;
  return [
    reservePasswordCheck(ctx, own ?? account, isNetwork(origin) ? maxNetworkChecks : undefined),
    reservePasswordCheck(ctx, account, undefined, sql`changes() > 0 AND ${isStranger}`),
  ] as const;
}

/**
 * Reads what `reserveChecks` took.
 * @returns the buckets, to give the checks back, and how full the first one is
 * @throws AppError `too_many_requests` if one is exhausted
 */
export function requireChecks(origin: Origin, isKnown: boolean, first: Reserved, second: Reserved) {
  const level = requirePasswordCheck(first);
  if (isNetwork(origin) && !isKnown) requirePasswordCheck(second);
  return { level, buckets: [...first, ...second].map(({ bucket }) => bucket) };
}
