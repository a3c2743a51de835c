import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import journal from "../../migrations/meta/_journal.json" with { type: "json" };
import { createRouter } from "../http/routes.ts";
import { checkHealth } from "./check-health.ts";

const expectedMigrations = journal.entries.map((entry) => entry.tag);

const healthy = z.object({ status: z.literal(true) });
const unhealthy = z.object({
  status: z.literal(false),
  reason: z.enum(["database_unreachable", "database_slow", "schema_outdated"]),
});

const health = createRoute({
  method: "get",
  path: "/health",
  summary: "Level 1: the service is initialized and its database responds",
  responses: {
    200: { description: "Ready", content: { "application/json": { schema: healthy } } },
    503: { description: "Not ready, with the reason", content: { "application/json": { schema: unhealthy } } },
  },
});

/** `/health` of the contract; `/ready` and `/health/db` are the peer's names for the same question. */
export function healthRoutes() {
  const router = createRouter();
  for (const path of ["/health", "/health/db", "/ready"] as const) {
    router.openapi({ ...health, path }, async (c) => {
      const reason = await checkHealth(c.env.db, expectedMigrations);
      c.header("cache-control", "no-store");
      return reason ? c.json({ status: false as const, reason }, 503) : c.json({ status: true as const }, 200);
    });
  }
  return router;
}
