import { randomToken } from "../../../lib/random-token.ts";

/** A new key's secret: 32 random bytes behind `sk-`. */
export function newSecret(): string {
  return `sk-${randomToken()}`;
}
