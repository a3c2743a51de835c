import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { requireManager } from "../access.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { listCallsOfAll, listOwnCalls } from "./list-calls.ts";
import { quotasLeft } from "./quotas/quotas-left.ts";
import { quotaLeftList } from "./quotas/schema.ts";
import { exportedRows, readOwnUsage, readUsageOfAll } from "./read-report.ts";
import {
  callsQuery,
  ownCallsQuery,
  ownUsageQuery,
  usageCallPage,
  usageQuery,
  type UsageReport,
  usageReport,
} from "./schema.ts";
import { renderUsageCsv } from "./usage-csv.ts";

const base = "/api/v1/usage";
const answers = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});
const file = { 200: { description: "The file", content: { "text/csv": { schema: z.string() } } } };

const own = defineRoute({
  method: "get",
  path: base,
  summary: "The caller's usage by day, model, key or API",
  request: { query: ownUsageQuery },
  responses: answers(usageReport, "Sums"),
});
const ownFile = defineRoute({
  method: "get",
  path: `${base}/export`,
  summary: "The caller's usage as a CSV file",
  request: { query: ownUsageQuery },
  responses: file,
});
const ownCalls = defineRoute({
  method: "get",
  path: `${base}/calls`,
  summary: "The caller's calls of models, newest first",
  request: { query: ownCallsQuery },
  responses: answers(usageCallPage, "A page"),
});
const left = defineRoute({
  method: "get",
  path: `${base}/quotas`,
  summary: "The quotas that apply to the caller, and what is left of them",
  responses: answers(quotaLeftList, "Quotas"),
});
const all = defineRoute({
  method: "get",
  path: `${base}/admin`,
  requires: requireManager,
  summary: "Usage of all people (administrators; administrators of an organization: its people only)",
  request: { query: usageQuery },
  responses: answers(usageReport, "Sums"),
});
const allFile = defineRoute({
  method: "get",
  path: `${base}/admin/export`,
  requires: requireManager,
  summary: "Usage of all people as a CSV file (administrators)",
  request: { query: usageQuery },
  responses: file,
});
const allCalls = defineRoute({
  method: "get",
  path: `${base}/admin/calls`,
  requires: requireManager,
  summary: "Calls of models, newest first (administrators)",
  request: { query: callsQuery },
  responses: answers(usageCallPage, "A page"),
});

export function usageRoutes() {
  const router = createRouter();
  router.openapi(own, async (c) => c.json(await readOwnUsage(contextOf(c), c.req.valid("query")), 200));
  router.openapi(ownFile, async (c) =>
    sendCsv(c, await readOwnUsage(contextOf(c), c.req.valid("query"), exportedRows)),
  );
  router.openapi(ownCalls, async (c) => c.json(await listOwnCalls(contextOf(c), c.req.valid("query")), 200));
  router.openapi(left, async (c) => c.json({ quotas: await quotasLeft(contextOf(c)) }, 200));
  router.openapi(all, async (c) => c.json(await readUsageOfAll(contextOf(c), c.req.valid("query")), 200));
  router.openapi(allFile, async (c) =>
    sendCsv(c, await readUsageOfAll(contextOf(c), c.req.valid("query"), exportedRows)),
  );
  router.openapi(allCalls, async (c) => c.json(await listCallsOfAll(contextOf(c), c.req.valid("query")), 200));
  return router;
}

function sendCsv(c: HonoContext<AppEnvironment>, report: UsageReport) {
  return c.body(renderUsageCsv(report), 200, {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="usage-${report.from}-${report.to}.csv"`,
    "cache-control": "no-store",
  });
}
