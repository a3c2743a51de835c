import { requireManager } from "../../access.ts";
import { answers } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { getOwnStorage } from "./own-storage.ts";
import { ownStorage, ownStorageQuery, storageReport, storageReportQuery } from "./schema.ts";
import { getStorageReport } from "./storage-report.ts";

const base = "/api/v1/storage";

const own = defineRoute({
  method: "get",
  path: base,
  summary: "What the caller has stored, what they may store, and their largest files",
  request: { query: ownStorageQuery },
  responses: answers("Sums and files", ownStorage),
});
const all = defineRoute({
  method: "get",
  path: `${base}/admin`,
  requires: requireManager,
  summary: "Who stores how much, most first (administrators; administrators of an organization: its people only)",
  request: { query: storageReportQuery },
  responses: answers("Sums by person and organization", storageReport),
});

export function storageRoutes() {
  const router = createRouter();
  router.openapi(own, async (c) => c.json(await getOwnStorage(contextOf(c), c.req.valid("query").limit), 200));
  router.openapi(all, async (c) => c.json(await getStorageReport(contextOf(c), c.req.valid("query").limit), 200));
  return router;
}
