import type { MiddlewareHandler } from "hono";
import { createContext, type Services } from "../context.ts";
import { AppError } from "../errors.ts";
import type { AppEnvironment } from "../http/routes.ts";
import { resolveActor } from "../people/auth/resolve-actor.ts";
import { publicOrigin } from "../people/auth/sign-in-gate.ts";
import { isAllowedAddress } from "./address.ts";
import { noteRefusal } from "./note-request.ts";
import { presentedToken } from "./presented-token.ts";

/**
 * Authenticates the identity provider by its token, before the request is read; the actor may then provision and
 * nothing else. One lookup, for the settings; none without a valid token.
 */
export function scimGate(): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const services = c.env;
    const request = c.req.raw;
    const requestId = c.get("requestId");
    const token = await admit(services, request.headers).catch((error: unknown) => {
      if (error instanceof AppError) noteRefusal(services, requestId, `${c.req.method} ${c.req.path}`, error);
      throw error;
    });
    const found = await resolveActor(services, undefined);
    const origin = publicOrigin(request, found.settings.WEBUI_URL, services.environment);
    c.set("ctx", createContext(services, { ...found, actor: { kind: "scim", token } }, { requestId, origin }));
    await next();
  };
}

/** The address comes first: from elsewhere nobody learns whether a token would be right. */
async function admit({ environment }: Services, headers: Headers) {
  const ranges = environment.SCIM_IP_ALLOWLIST ?? [];
  const header = environment.SCIM_IP_HEADER;
  const isOn = environment.SCIM_ENABLED === true;
  if (isOn && ranges.length > 0 && !isAllowedAddress(header ? headers.get(header) : null, ranges))
    throw new AppError("forbidden", "This address is not in SCIM_IP_ALLOWLIST");
  return presentedToken(environment, headers);
}
