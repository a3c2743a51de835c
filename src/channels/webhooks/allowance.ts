import { sql, type SQL } from "drizzle-orm";

/** A token bucket: the burst, and the rate at which it refills. */
export interface PostLimits {
  /** Posts in a minute. */
  rate: number;
  /** Posts that a webhook which was silent may send without a pause. */
  burst: number;
}

/** Posts that a webhook may send now, in thousandths, as of `refilledAt` (epoch milliseconds). */
export interface Allowance {
  allowance: number;
  refilledAt: number;
}

/** What one post takes. */
const post = 1000;

/** What it may send now, in thousandths of posts; at most the burst. Clocks that go back add nothing. */
export function allowanceAt({ allowance, refilledAt }: Allowance, { rate, burst }: PostLimits, now: number): number {
  return Math.min(burst * post, allowance + Math.floor((Math.max(0, now - refilledAt) * rate) / 60));
}

/** Seconds until one more post is accepted, at least one. */
export function secondsUntilPost(bucket: Allowance, limits: PostLimits, now: number): number {
  const missing = post - allowanceAt(bucket, limits, now);
  return Math.max(1, Math.ceil((missing * 60) / limits.rate / 1000));
}

/**
 * The same over the table `channel_webhooks` as `w`: whether a post is accepted, and the new values. A new webhook was
 * last refilled in 1970: it starts with the whole burst.
 */
export function allowanceSql({ rate, burst }: PostLimits, now: number): { isEnough: SQL; taken: SQL } {
  const there = sql`min(${burst * post}, w.allowance + max(0, ${now} - w.refilled_at) * ${rate} / 60)`;
  return {
    isEnough: sql`${there} >= ${post}`,
    taken: sql`allowance = ${there} - ${post}, refilled_at = max(w.refilled_at, ${now})`,
  };
}
