import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Context, Services } from "../context.ts";
import { validationError } from "./validation-error.ts";

/** What middleware sets for handlers. */
export interface Variables {
  ctx: Context;
  requestId: string;
}

/** The environment of a request contains its services; the app itself is built once. */
export type AppEnvironment = { Variables: Variables; Bindings: Services };

/**
 * A router whose validation errors are `AppError`s, so that each dialect can render them.
 * @param options `getPath`: the path for routing, if it is not the request's own
 */
export function createRouter(options: { getPath?: (request: Request) => string } = {}): OpenAPIHono<AppEnvironment> {
  return new OpenAPIHono<AppEnvironment>({
    ...options,
    defaultHook(result) {
      if (!result.success) throw validationError(result.error);
    },
  });
}

/** The context of a request. */
export function contextOf(c: HonoContext<AppEnvironment>): Context {
  return c.get("ctx");
}
