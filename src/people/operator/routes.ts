import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { publicOrigin } from "../auth/sign-in-gate.ts";
import { makeAdministrator, makeOperatorLink, resetOperatorFactor, resetPassword } from "./change-account.ts";
import { createFirstAdministrator, importPeople } from "./import-people.ts";
import { operatorGate } from "./operator-gate.ts";
import {
  firstAdministrator,
  firstAdministratorResult,
  importedPeople,
  importResults,
  namedPerson,
  operatorLink,
  passwordReset,
  passwordResetResult,
  promotion,
  promotionResult,
} from "./schema.ts";

const base = "/api/v1/operator";

const first = defineRoute({
  method: "post",
  path: `${base}/first-administrator`,
  summary: "Create the administrator of a service that has none",
  request: jsonBody(firstAdministrator),
  responses: answers("Whether the account was created", firstAdministratorResult),
});
const people = defineRoute({
  method: "post",
  path: `${base}/people`,
  summary: "Create accounts; addresses that have one stay as they are",
  request: jsonBody(importedPeople),
  responses: answers("What became of each", importResults),
});
const password = defineRoute({
  method: "post",
  path: `${base}/people/password`,
  summary: "Set a person's password and end their sessions",
  request: jsonBody(passwordReset),
  responses: answers("The new password, if one was made", passwordResetResult),
});
const link = defineRoute({
  method: "post",
  path: `${base}/people/reset-link`,
  summary: "Make a link with which a person sets a new password",
  request: jsonBody(namedPerson),
  responses: answers("The link", operatorLink),
});
const factor = defineRoute({
  method: "post",
  path: `${base}/people/second-factor`,
  summary: "Remove the authenticator app and the passkeys of a person who has lost them",
  request: jsonBody(namedPerson),
  responses: answers("The person", namedPerson),
});
const administrator = defineRoute({
  method: "post",
  path: `${base}/people/administrator`,
  summary: "Make a person an administrator",
  request: jsonBody(promotion),
  responses: answers("The administrator", promotionResult),
});

/** For the commands of `npm run admin` (scripts/admin.ts). No session and no API key opens them. */
export function operatorRoutes() {
  const router = createRouter({ gate: operatorGate(), owns: [base] });
  router.openapi(first, async (c) => c.json(await createFirstAdministrator(contextOf(c), c.req.valid("json")), 200));
  router.openapi(people, async (c) =>
    c.json({ people: await importPeople(contextOf(c), c.req.valid("json").people) }, 200),
  );
  router.openapi(password, async (c) => c.json(await resetPassword(contextOf(c), c.req.valid("json")), 200));
  router.openapi(link, async (c) => {
    const ctx = contextOf(c);
    const origin = publicOrigin(c.req.raw, ctx.settings.WEBUI_URL, ctx.environment);
    c.header("cache-control", "no-store");
    return c.json(await makeOperatorLink(ctx, c.req.valid("json").email, origin), 200);
  });
  router.openapi(factor, async (c) => c.json(await resetOperatorFactor(contextOf(c), c.req.valid("json").email), 200));
  router.openapi(administrator, async (c) =>
    c.json(await makeAdministrator(contextOf(c), c.req.valid("json").email), 200),
  );
  return router;
}
