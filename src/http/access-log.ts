import type { Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { clientAddress } from "./client-address.ts";
import { followBody } from "./follow-body.ts";
import type { AppEnvironment } from "./routes.ts";

/**
 * With ACCESS_LOG, writes a line about an answered request, when the last byte has gone. The route is the declared path: what a
 * caller puts into a path or behind its `?` may be a secret.
 * @param begun by `performance.now()`
 */
export function noteAccess(c: HonoContext<AppEnvironment>, begun: number): void {
  const { environment, log } = c.env;
  if (environment.ACCESS_LOG !== true) return;
  const { declared } = c.get("route");
  const { status } = c.res;
  // Bare routes have no context.
  const actor = (c.get("ctx") as Context | undefined)?.actor;
  followBody(c, ({ bytes, isWhole }) =>
    log.info("request", {
      method: c.req.method,
      route: declared?.path ?? "unknown",
      status,
      ms: Math.round(performance.now() - begun),
      bytes,
      ...(isWhole ? {} : { aborted: true }),
      client: clientAddress(environment, c.req.raw.headers) ?? null,
      ...(actor?.kind === "user" ? { person: actor.id } : {}),
    }),
  );
}
