import type * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { listLandingRules, replaceLandingRules, tryLanding } from "./landing-rules.ts";
import { landingResult, landingRuleList, landingTrial, newLandingRules } from "./schema.ts";

const base = "/api/v1/landing-rules";
const json = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});
const body = <T extends z.ZodType>(schema: T) => ({ required: true, content: { "application/json": { schema } } });

const list = defineRoute({
  method: "get",
  path: base,
  summary: "The landing rules: which organization new accounts are assigned to (system administrators)",
  responses: json(landingRuleList, "The rules in order"),
});
const replace = defineRoute({
  method: "put",
  path: base,
  summary: "Replace all landing rules (system administrators)",
  request: { body: body(newLandingRules) },
  responses: json(landingRuleList, "The updated rules"),
});
const attempt = defineRoute({
  method: "post",
  path: `${base}/try`,
  summary: "Which organization a person would be assigned to (system administrators)",
  request: { body: body(landingTrial) },
  responses: json(landingResult, "The organization, and the rule that matched"),
});

export function landingRoutes() {
  const router = createRouter({ requires: requireAdmin });
  for (const path of [base, `${base}/`] as const) {
    router.openapi({ ...list, path }, async (c) => c.json(await listLandingRules(contextOf(c)), 200));
    router.openapi({ ...replace, path }, async (c) =>
      c.json(await replaceLandingRules(contextOf(c), c.req.valid("json").rules), 200),
    );
  }
  router.openapi(attempt, async (c) => c.json(await tryLanding(contextOf(c), c.req.valid("json")), 200));
  return router;
}
