import { requireAdmin } from "../../../access.ts";
import { answers, jsonBody } from "../../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { idParam } from "../../schema.ts";
import { sendSignedIn } from "../sign-in/answer-signed-in.ts";
import { readClient } from "../sign-in/read-client.ts";
import { done, signInResponse } from "../sign-in/schema.ts";
import { requirePerson } from "./confirm-person.ts";
import { confirmFactor, getOwnFactor, removeFactor, renewCodes, startFactor } from "./own-factor.ts";
import { resetFactor } from "./reset-factor.ts";
import {
  factorCode,
  factorProof,
  factorSecret,
  ownFactor,
  recoveryCodeList,
  secondStep,
  startedFactor,
} from "./schema.ts";
import { finishSignIn } from "./second-step.ts";

const base = "/api/v1/auths/second_factor";
const noStore = { "cache-control": "no-store" };

/** Open to people who have to set one up before anything else. */
const session = { access: "session", requires: requirePerson } as const;

const finish = defineRoute({
  method: "post",
  path: "/api/v1/auths/signin/second_factor",
  access: "public",
  summary: "Finish a sign-in that was answered with second_factor_required",
  request: jsonBody(secondStep),
  responses: answers("The session; its token is also set as a cookie", signInResponse),
});
const get = defineRoute({
  ...session,
  method: "get",
  path: base,
  summary: "The caller's second factor",
  responses: answers("The state", ownFactor),
});
const start = defineRoute({
  ...session,
  method: "post",
  path: `${base}/start`,
  summary: "Begin to set up an authenticator app",
  request: jsonBody(startedFactor),
  responses: answers("The secret; it is in this answer only", factorSecret),
});
const confirm = defineRoute({
  ...session,
  method: "post",
  path: `${base}/confirm`,
  summary: "Finish the set-up of an authenticator app with its first code",
  request: jsonBody(factorCode),
  responses: answers("Recovery codes; they are in this answer only", recoveryCodeList),
});
const renew = defineRoute({
  method: "post",
  path: `${base}/recovery_codes`,
  summary: "Replace the caller's recovery codes",
  request: jsonBody(factorProof),
  responses: answers("Recovery codes; they are in this answer only", recoveryCodeList),
});
const remove = defineRoute({
  method: "post",
  path: `${base}/remove`,
  summary: "Remove the caller's authenticator app",
  request: jsonBody(factorCode),
  responses: answers("Removed", done),
});
const reset = defineRoute({
  method: "delete",
  path: "/api/v1/users/{id}/second_factor",
  requires: requireAdmin,
  summary: "Remove the authenticator app and the passkeys of a person who has lost them (administrators)",
  request: { params: idParam },
  responses: answers("Removed", done),
});

export function secondFactorRoutes() {
  const router = createRouter();
  router.openapi(finish, async (c) => {
    const client = await readClient(c);
    return sendSignedIn(c, await finishSignIn(contextOf(c), c.req.valid("json"), client), client.device);
  });
  router.openapi(get, async (c) => c.json(await getOwnFactor(contextOf(c)), 200, noStore));
  router.openapi(start, async (c) =>
    c.json(await startFactor(contextOf(c), c.req.valid("json").password), 200, noStore),
  );
  router.openapi(confirm, async (c) =>
    c.json(await confirmFactor(contextOf(c), c.req.valid("json").code), 200, noStore),
  );
  router.openapi(renew, async (c) => c.json(await renewCodes(contextOf(c), c.req.valid("json")), 200, noStore));
  router.openapi(remove, async (c) => {
    await removeFactor(contextOf(c), c.req.valid("json").code);
    return c.json({ status: true as const }, 200);
  });
  router.openapi(reset, async (c) => {
    await resetFactor(contextOf(c), c.req.valid("param").id);
    return c.json({ status: true as const }, 200);
  });
  return router;
}
