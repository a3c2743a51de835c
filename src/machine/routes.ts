import * as z from "zod";
import { requireAdmin } from "../access.ts";
import { answers } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { compact, getMachineReport, startBackup } from "./machine-report.ts";
import { compacted, machineReport } from "./schema.ts";

const base = "/api/v1/machine";

const report = defineRoute({
  method: "get",
  path: base,
  requires: requireAdmin,
  summary: "What takes space on the disk, and the state of backups (only on one machine)",
  responses: answers("The disk and the backups", machineReport),
});
const backup = defineRoute({
  method: "post",
  path: `${base}/backups`,
  requires: requireAdmin,
  summary: "Begin a backup, unless one is being made",
  responses: answers("Whether it has begun", z.object({ status: z.literal(true) })),
});
const compaction = defineRoute({
  method: "post",
  path: `${base}/compactions`,
  requires: requireAdmin,
  summary: "Free the disk space of deleted data now; otherwise that happens every hour",
  responses: answers("How many bytes that were", compacted),
});

/** Of the machine that the service runs on; on the edge there is none. */
export function machineRoutes() {
  const router = createRouter();
  router.openapi(report, async (c) => c.json(await getMachineReport(contextOf(c)), 200));
  router.openapi(backup, async (c) => {
    await startBackup(contextOf(c));
    return c.json({ status: true as const }, 200);
  });
  router.openapi(compaction, async (c) => c.json(await compact(contextOf(c)), 200));
  return router;
}
