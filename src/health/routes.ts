import * as z from "zod";
import journal from "../../migrations/meta/_journal.json" with { type: "json" };
import { answers } from "../http/json-route.ts";
import { createRouter, defineRoute } from "../http/routes.ts";
import { isDiskLow } from "../machine/free-disk.ts";
import { serviceContext } from "../people/auth/service-context.ts";
import { checkHealth } from "./check-health.ts";

const expectedMigrations = journal.entries.map((entry) => entry.tag);

const healthy = z.object({
  status: z.literal(true),
  /** What an operator has to do something about. Only of `/ready`, on one machine. */
  warnings: z.array(z.enum(["disk_low"])).optional(),
});
const unhealthy = z.object({
  status: z.literal(false),
  reason: z.enum(["database_unreachable", "database_slow", "schema_outdated"]),
});

const health = defineRoute({
  method: "get",
  path: "/health",
  summary: "Level 1: the service is initialized and its database responds",
  responses: {
    ...answers("Ready", healthy),
    503: { description: "Not ready, with the reason", content: { "application/json": { schema: unhealthy } } },
  },
});

/** `/health` of the contract; `/ready` and `/health/db` are Open WebUI's names for it. */
export function healthRoutes() {
  const router = createRouter({ access: "bare" });
  for (const path of ["/health", "/health/db", "/ready"] as const) {
    router.openapi({ ...health, path }, async (c) => {
      const reason = await checkHealth(c.env.db, expectedMigrations);
      c.header("cache-control", "no-store");
      if (path === "/ready" && reason === undefined && (await isDiskLow(await serviceContext(c.env))))
        return c.json({ status: true as const, warnings: ["disk_low" as const] }, 200);
      return reason ? c.json({ status: false as const, reason }, 503) : c.json({ status: true as const }, 200);
    });
  }
  return router;
}
