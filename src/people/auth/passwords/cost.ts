import type { PasswordCost } from "../../../ports.ts";

/**
 * `PASSWORD_COST`: scrypt's N as a power of two, of which each step doubles memory and time. The usual one takes 16 MB and about
 * 0.2 s of one core: with r and p below, one of the equivalents of OWASP's password storage recommendation for scrypt. The most,
 * 64 MB, fits into an isolate. The least is for tests.
 */
export const passwordCosts = { least: 10, usual: 14, most: 16 };

/** What new hashes cost. @param ln `PASSWORD_COST`, if it is set */
export function passwordCostOf(ln: number = passwordCosts.usual): PasswordCost {
  return { ln, r: 8, p: 5 };
}

/** The most work that a hash may ask for which another Parley made. */
export const dearestCost = passwordCostOf(passwordCosts.most);

/** Problems with the cost, for the log at the start. @param ln `PASSWORD_COST`, if it is set */
export function passwordCostWarnings(ln: number = passwordCosts.usual): string[] {
  const { usual } = passwordCosts;
  if (ln >= usual) return [];
  return [
    `PASSWORD_COST is ${ln}: passwords from a stolen database are easier to guess. Use at least ${usual}, except in tests`,
  ];
}
