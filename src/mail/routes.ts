import { requireAdmin } from "../access.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { getMailStatus, setMailPassword, testMail } from "./manage-mail.ts";
import { mailPassword, mailStatus, mailTest, mailTestResult } from "./schema.ts";

const status = defineRoute({
  method: "get",
  path: "/api/v1/mail",
  summary: "Whether e-mails are sent, and what was not (administrators)",
  responses: answers("The state", mailStatus),
});
const password = defineRoute({
  method: "put",
  path: "/api/v1/mail/password",
  summary: "Store the password for the mail server (administrators)",
  request: jsonBody(mailPassword),
  responses: answers("The state", mailStatus),
});
const test = defineRoute({
  method: "post",
  path: "/api/v1/mail/test",
  summary: "Send a test e-mail now and tell how the conversation went (administrators)",
  request: jsonBody(mailTest),
  responses: answers("What came of it", mailTestResult),
});

export function mailRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(status, async (c) => c.json(await getMailStatus(contextOf(c)), 200));
  router.openapi(password, async (c) => c.json(await setMailPassword(contextOf(c), c.req.valid("json").password), 200));
  router.openapi(test, async (c) => c.json(await testMail(contextOf(c), c.req.valid("json").to), 200));
  return router;
}
