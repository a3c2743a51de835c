import { createRoute } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { type AppEnvironment, contextOf, createRouter } from "../http/routes.ts";
import { listCallsOfAll, listOwnCalls } from "./list-calls.ts";
import { quotasLeft } from "./quotas/quotas-left.ts";
import { quotaLeftList } from "./quotas/schema.ts";
import { exportedRows, readOwnUsage, readUsageOfAll } from "./read-report.ts";
import { renderUsageCsv } from "./usage-csv.ts";
import {
  callsQuery,
  ownCallsQuery,
  ownUsageQuery,
  usageCallPage,
  usageQuery,
  type UsageReport,
  usageReport,
} from "./schema.ts";

const base = "/api/v1/usage";
const answers = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});
const file = { 200: { description: "The file", content: { "text/csv": { schema: z.string() } } } };

const own = createRoute({
  method: "get",
  path: base,
  summary: "The caller's usage by day, model, key or API",
  request: { query: ownUsageQuery },
  responses: answers(usageReport, "Sums"),
});
const ownFile = createRoute({
  method: "get",
  path: `${base}/export`,
  summary: "The caller's usage as a CSV file",
  request: { query: ownUsageQuery },
  responses: file,
});
const ownCalls = createRoute({
  method: "get",
  path: `${base}/calls`,
  summary: "The caller's calls of models, newest first",
  request: { query: ownCallsQuery },
  responses: answers(usageCallPage, "A page"),
});
const left = createRoute({
  method: "get",
  path: `${base}/quotas`,
  summary: "The quotas that apply to the caller, and what is left of them",
  responses: answers(quotaLeftList, "Quotas"),
});
const all = createRoute({
  method: "get",
  path: `${base}/admin`,
  summary: "Usage of all people (administrators; administrators of an organization: its people only)",
  request: { query: usageQuery },
  responses: answers(usageReport, "Sums"),
});
const allFile = createRoute({
  method: "get",
  path: `${base}/admin/export`,
  summary: "Usage of all people as a CSV file (administrators)",
  request: { query: usageQuery },
  responses: file,
});
const allCalls = createRoute({
  method: "get",
  path: `${base}/admin/calls`,
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
