import type { MiddlewareHandler } from "hono";
import { AppError } from "../errors.ts";
import { type AppEnvironment, contextOf, createRouter, type Router } from "../http/routes.ts";
import { isNoted } from "./audited-write.ts";
import { discoveryRoutes } from "./discovery/routes.ts";
import { groupRoutes } from "./groups/routes.ts";
import { errorDetail, failedAction, noteRequest } from "./note-request.ts";
import { scimBase } from "./paths.ts";
import { renderScimError } from "./render-error.ts";
import { requireProvisioner } from "./require-provisioner.ts";
import { MethodNotAllowed } from "./scim-error.ts";
import { scimGate } from "./scim-gate.ts";
import { userRoutes } from "./users/routes.ts";

/** Largest body, in bytes: a group of some ten thousand members. Its ids are one parameter, and sqld takes none of 5 MB. */
const maxBody = 4_000_000;

/** The identity provider's API: SCIM 2.0 (RFC 7643, RFC 7644). */
export function scimRoutes() {
  const router = createRouter({
    gate: scimGate(),
    dialect: renderScimError,
    readsBody: true,
    maxBody,
    owns: [scimBase],
  });
  router.use(`${scimBase}/*`, noteFailures());
  router.include(discoveryRoutes());
  router.include(userRoutes());
  router.include(groupRoutes());
  refuseOtherMethods(router);
  return router;
}

/** A path of the router with a method that it does not have: 405, and 404 only where there is nothing at all. */
function refuseOtherMethods(router: Router): void {
  const declared = router.routes.filter(({ method }) => method !== "ALL");
  for (const path of new Set(declared.map((route) => route.path))) {
    const methods = declared.filter((route) => route.path === path).map(({ method }) => method);
    router.all(path, (c) => {
      throw new MethodNotAllowed(c.req.method, methods);
    });
  }
}

/** The row of every request that failed before its write could leave one. */
function noteFailures(): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const ctx = contextOf(c);
    requireProvisioner(ctx);
    await next();
    if (c.res.status < 400 || (c.error && isNoted(c.error))) return;
    const path = c.req.path.slice(scimBase.length);
    const [, kind, id = ""] = /^\/(Users|Groups)(?:\/([^/]+))?$/.exec(path) ?? [];
    const detail =
      c.error instanceof AppError
        ? errorDetail(c.error)
        : { status: c.res.status, error: c.error ? "Internal error. The cause is in the log" : "Not found" };
    noteRequest(ctx, {
      action: failedAction,
      targetType: kind === "Users" ? "user" : kind === "Groups" ? "group" : "scim",
      targetId: id,
      detail: { operation: c.req.method, path: path.slice(0, 300), ...detail },
    });
  };
}
