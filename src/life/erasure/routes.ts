import { requireAdmin } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../../people/schema.ts";
import { getErasure, listErasures } from "./erasures.ts";
import { planErasure } from "./plan-erasure.ts";
import { erasure, erasureList, erasurePlan, newErasure } from "./schema.ts";
import { startErasure } from "./start-erasure.ts";

const plan = defineRoute({
  method: "get",
  path: "/api/v1/users/{id}/erasure",
  summary: "What erasing a person would remove, hand over and make anonymous now (system administrators)",
  request: { params: idParam },
  responses: answers("Counts by kind", erasurePlan),
});
const start = defineRoute({
  method: "post",
  path: "/api/v1/users/{id}/erasure",
  summary:
    "Erase a person with everything that is only theirs, or go on with an erasure that failed (system administrators)",
  request: { params: idParam, ...jsonBody(newErasure) },
  responses: answers("The erasure, which goes on in the background", erasure),
});
const list = defineRoute({
  method: "get",
  path: "/api/v1/erasures",
  summary: "Erasures and their reports (system administrators)",
  responses: answers("The newest 200", erasureList),
});
const get = defineRoute({
  method: "get",
  path: "/api/v1/erasures/{id}",
  summary: "The report of an erasure, or how far it is (system administrators)",
  request: { params: idParam },
  responses: answers("The report", erasure),
});

export function erasureRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(plan, async (c) => c.json(await planErasure(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(start, async (c) =>
    c.json(await startErasure(contextOf(c), c.req.valid("param").id, c.req.valid("json").successor_id), 200),
  );
  router.openapi(list, async (c) => c.json({ erasures: await listErasures(contextOf(c)) }, 200));
  router.openapi(get, async (c) => c.json(await getErasure(contextOf(c), c.req.valid("param").id), 200));
  return router;
}
