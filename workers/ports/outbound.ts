import type { Environment } from "../../src/compose/settings.ts";
import { createGuardedFetch } from "../../src/http/guarded-fetch.ts";
import type { Outbound } from "../../src/ports.ts";
import type { Env } from "../env.ts";

/** The two ways out. On one machine plain `fetch` is fenced to public addresses, and `TRUSTED` is not; on the edge both are `fetch`. */
export function createOutbound(env: Env, environment: Environment): Outbound {
  const { TRUSTED } = env;
  const trusted: typeof fetch = TRUSTED
    ? (input, init) => TRUSTED.fetch(input as RequestInfo, init as RequestInit)
    : (input, init) => fetch(input as RequestInfo, init as RequestInit);
  const open: typeof fetch = (input, init) => fetch(input as RequestInfo, init as RequestInit);
  return { trusted, guarded: createGuardedFetch(open, trusted, environment.OUTBOUND_ALLOWED_PRIVATE_HOSTS ?? []) };
}
