import * as z from "zod";
import { requireManager } from "../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { exportEvents } from "./export-events.ts";
import { listEvents } from "./list-events.ts";
import { auditFilter, auditPage, auditQuery } from "./schema.ts";

const list = defineRoute({
  method: "get",
  path: "/api/v1/audit",
  summary: "Audit log (system administrators: all; administrators of an organization: their organization only)",
  request: { query: auditQuery },
  responses: {
    200: { description: "A page, newest first", content: { "application/json": { schema: auditPage } } },
  },
});

const download = defineRoute({
  method: "get",
  path: "/api/v1/audit/export",
  summary: "The audit log as a CSV file (administrators)",
  request: { query: auditFilter },
  responses: { 200: { description: "The CSV file, newest first", content: { "text/csv": { schema: z.string() } } } },
});

export function auditRoutes() {
  const router = createRouter({ requires: requireManager });
  router.openapi(list, async (c) => c.json(await listEvents(contextOf(c), c.req.valid("query")), 200));
  router.openapi(download, async (c) => {
    const ctx = contextOf(c);
    const day = new Date(ctx.now() * 1000).toISOString().slice(0, 10);
    return c.body(await exportEvents(ctx, c.req.valid("query")), 200, {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="audit-${day}.csv"`,
      "cache-control": "no-store",
    });
  });
  return router;
}
