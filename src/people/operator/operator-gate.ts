import type { MiddlewareHandler } from "hono";
import type { Actor, Operator } from "../../access.ts";
import { contextWith } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { AppEnvironment } from "../../http/routes.ts";
import { serviceContext } from "../auth/service-context.ts";
import { isOperatorToken } from "./operator-token.ts";

/** Lets those in who hold the key ring, before the request is read: the commands of `npm run admin`. */
export function operatorGate(): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const services = c.env;
    const token = /^Bearer +(\S+)$/i.exec(c.req.header("authorization")?.trim() ?? "")?.[1];
    if (token === undefined || !(await isOperatorToken(services.tokens, token)))
      throw new AppError("not_signed_in", "Only a command of the operator can do this: npm run admin");
    const ctx = await serviceContext(services);
    c.set("ctx", contextWith(ctx, { actor: { kind: "operator" }, requestId: c.get("requestId") }));
    await next();
  };
}

/** @throws AppError `forbidden`. */
export function requireOperator(ctx: { actor: Actor }): Operator {
  if (ctx.actor.kind !== "operator") throw new AppError("forbidden", "Only the operator can do this");
  return ctx.actor;
}
