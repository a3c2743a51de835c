import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Context, Services } from "../context.ts";
import { validationError } from "./validation-error.ts";

/** What middleware leaves for handlers. */
export interface Variables {
  ctx: Context;
  requestId: string;
}

/** The request's services come in as the environment of the app, which itself is built once. */
export type AppEnvironment = { Variables: Variables; Bindings: Services };

/**
 * A router whose validation errors are `AppError`s, so that each dialect says them in its own words.
 * @param options `getPath`: by which path a request is routed, where that is not its own
 */
export function createRouter(options: { getPath?: (request: Request) => string } = {}): OpenAPIHono<AppEnvironment> {
  return new OpenAPIHono<AppEnvironment>({
    ...options,
    defaultHook(result) {
      if (!result.success) throw validationError(result.error);
    },
  });
}

/** The verb context of a request. */
export function contextOf(c: HonoContext<AppEnvironment>): Context {
  return c.get("ctx");
}
