import { requireAdmin } from "../../access.ts";
import { answers } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../../people/schema.ts";
import { getOwnPeriods } from "./periods.ts";
import { previewAllRetention, previewRetention } from "./preview-retention.ts";
import { effectivePeriods, previewQuery, retentionPreview } from "./schema.ts";

const own = defineRoute({
  method: "get",
  path: "/api/v1/retention/own",
  summary: "After how many days the caller's things are removed; 0 is never",
  responses: answers("Days by kind", effectivePeriods),
});
const all = defineRoute({
  method: "get",
  path: "/api/v1/retention",
  requires: requireAdmin,
  summary:
    "Preview what retention would remove now in all organizations, with other periods if given (system administrators)",
  request: { query: previewQuery },
  responses: answers("Counts, bytes and the oldest, by kind", retentionPreview),
});
const one = defineRoute({
  method: "get",
  path: "/api/v1/organizations/{id}/retention",
  requires: requireAdmin,
  summary:
    "Preview what retention would remove now in an organization, with other periods if given (system administrators)",
  request: { params: idParam, query: previewQuery },
  responses: answers("Counts, bytes and the oldest, by kind", retentionPreview),
});

export function retentionRoutes() {
  const router = createRouter();
  router.openapi(own, async (c) => c.json(await getOwnPeriods(contextOf(c)), 200));
  router.openapi(all, async (c) => c.json(await previewAllRetention(contextOf(c), c.req.valid("query")), 200));
  router.openapi(one, async (c) =>
    c.json(await previewRetention(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
  );
  return router;
}
