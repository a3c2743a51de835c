import { requireAdmin } from "../../access.ts";
import { answers } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { readHistory } from "./read-history.ts";
import { history, historyQuery } from "./schema.ts";

const read = defineRoute({
  method: "get",
  path: "/api/v1/admin/history",
  summary: "Requests, errors, waiting times, tokens, jobs, people and disk over time (system administrators)",
  request: { query: historyQuery },
  responses: answers("The last hour, day or week", history),
});

export function historyRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(read, async (c) => c.json(await readHistory(contextOf(c), c.req.valid("query").span), 200));
  return router;
}
