import type { PasswordCost } from "../../../ports.ts";

/**
 * `PASSWORD_COST`: scrypt's N as a power of two, of which each step doubles the memory. The usual one takes 16 MB and about 0.2 s of
 * one core: with r and p below, one of the equivalents of OWASP's password storage recommendation for scrypt. The most, 64 MB, fits
 * into an isolate. The least is for tests.
 */
export const passwordCosts = { least: 10, usual: 14, most: 16 };

const r = 8;
const mostRounds = 5;
/** N times r times p: workerd refuses more. */
const mostWork = 2 ** 20;

/** What new hashes cost. @param ln `PASSWORD_COST`, if it is set */
export function passwordCostOf(ln: number = passwordCosts.usual): PasswordCost {
  return { ln, r, p: Math.min(mostRounds, mostWork / (2 ** ln * r)) };
}

/** Whether a hash of this cost, which another Parley made, takes no more memory and work to check than our own may. */
export function isAffordable(cost: PasswordCost): boolean {
  const isPositive = cost.ln >= 1 && cost.r >= 1 && cost.p >= 1;
  const isWithin = cost.ln <= passwordCosts.most && cost.r <= r && cost.p <= mostRounds;
  return isPositive && isWithin && 2 ** cost.ln * cost.r * cost.p <= mostWork;
}

/** Problems with the cost, for the log at the start. @param ln `PASSWORD_COST`, if it is set */
export function passwordCostWarnings(ln: number = passwordCosts.usual): string[] {
  const { usual } = passwordCosts;
  if (ln >= usual) return [];
  return [
    `PASSWORD_COST is ${ln}: passwords from a stolen database are easier to guess. Use at least ${usual}, except in tests`,
  ];
}
