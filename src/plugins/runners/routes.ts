import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { answers } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { listRunners } from "./list-runners.ts";
import { runnerView } from "./schema.ts";

const list = defineRoute({
  method: "get",
  path: "/api/v1/plugins/runners",
  requires: requireAdmin,
  summary: "Native runners, how they are, and what runs there (administrators)",
  responses: answers("The runners", z.array(runnerView)),
});

/** Where plugins run outside of the sandbox. */
export function runnerRoutes() {
  const router = createRouter();
  router.openapi(list, async (c) => c.json(await listRunners(contextOf(c)), 200));
  return router;
}
