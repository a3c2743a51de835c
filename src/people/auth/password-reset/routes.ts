import { requireAdmin } from "../../../access.ts";
import { answers, jsonBody } from "../../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { idParam } from "../../schema.ts";
import { callerOf } from "../sign-in/caller.ts";
import { done } from "../sign-in/schema.ts";
import { makeResetLink } from "./make-reset-link.ts";
import { requestReset } from "./request-reset.ts";
import { forgottenPassword, newPasswordByLink, offeredReset, presentedReset, resetLink } from "./schema.ts";
import { applyReset, readReset } from "./use-reset-link.ts";

const forgotten = defineRoute({
  method: "post",
  path: "/api/v1/auths/password/forgotten",
  access: "public",
  summary: "Send a link for a new password to an address. The answer is the same whether or not it has an account",
  request: jsonBody(forgottenPassword),
  responses: answers("If there is an account, an e-mail is on its way", done),
});
const look = defineRoute({
  method: "post",
  path: "/api/v1/auths/password/look",
  access: "public",
  summary: "Whose password a link sets",
  request: jsonBody(presentedReset),
  responses: answers("The address", offeredReset),
});
const reset = defineRoute({
  method: "post",
  path: "/api/v1/auths/password/reset",
  access: "public",
  summary: "Set a new password with a link. Ends all sessions of the person",
  request: jsonBody(newPasswordByLink),
  responses: answers("The password is set: sign in with it", done),
});
const make = defineRoute({
  method: "post",
  path: "/api/v1/users/{id}/reset_link",
  requires: requireAdmin,
  summary: "Make a link with which a person sets a new password (administrators)",
  request: { params: idParam },
  responses: answers("The link; it is in this answer only", resetLink),
});

export function passwordResetRoutes() {
  const router = createRouter();
  router.openapi(forgotten, async (c) => {
    const ctx = contextOf(c);
    await requestReset(ctx, c.req.valid("json").email, callerOf(ctx, c.req.raw.headers));
    return c.json({ status: true as const }, 200);
  });
  router.openapi(look, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await readReset(contextOf(c), c.req.valid("json").token), 200);
  });
  router.openapi(reset, async (c) => {
    const ctx = contextOf(c);
    const { token, password } = c.req.valid("json");
    await applyReset(ctx, token, password, callerOf(ctx, c.req.raw.headers));
    return c.json({ status: true as const }, 200);
  });
  router.openapi(make, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await makeResetLink(contextOf(c), c.req.valid("param").id), 200);
  });
  return router;
}
