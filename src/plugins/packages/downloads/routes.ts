import * as z from "zod";
import { requireManager } from "../../../access.ts";
import { answers, jsonBody } from "../../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { forgetDownload, getDownload, listDownloads, startDownload, stopDownload } from "./downloads.ts";
import { planDownload, requireRegistries } from "./plan-download.ts";
import { downloadIdParam, downloadList, downloadQuery, downloadView, wantedPackages } from "./schema.ts";

const base = "/api/v1/plugins/packages/downloads";
const params = { params: downloadIdParam };

const list = defineRoute({
  method: "get",
  path: base,
  summary: "Registries that are allowed, and packages that are being fetched (managers)",
  request: { query: downloadQuery },
  responses: answers(
    "Hosts of registries, and the last downloads of one organization or of all that the caller manages",
    downloadList,
  ),
});
const plan = defineRoute({
  method: "post",
  path: base,
  requires: requireRegistries,
  summary: "Find out which packages would be fetched (managers)",
  request: jsonBody(wantedPackages),
  responses: answers(
    "The packages with all that they need, with sizes and licenses; nothing is fetched yet",
    downloadView,
  ),
});
const read = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "A download of packages (managers)",
  request: params,
  responses: answers("The download", downloadView),
});
const start = defineRoute({
  method: "post",
  path: `${base}/{id}/start`,
  summary: "Fetch the packages of a plan (managers)",
  request: params,
  responses: answers("The download", downloadView),
});
const stop = defineRoute({
  method: "post",
  path: `${base}/{id}/stop`,
  summary: "Stop fetching packages (managers)",
  request: params,
  responses: answers("The download", downloadView),
});
const forget = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Remove a plan or an ended download (managers)",
  request: params,
  responses: answers("Done", z.literal(true)),
});

/** Packages that are fetched from the allowed registries. */
export function packageDownloadRoutes() {
  const router = createRouter({ requires: requireManager });
  router.openapi(list, async (c) =>
    c.json(await listDownloads(contextOf(c), c.req.valid("query").organization_id), 200),
  );
  router.openapi(plan, async (c) => c.json(await planDownload(contextOf(c), c.req.valid("json")), 200));
  router.openapi(read, async (c) => c.json(await getDownload(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(start, async (c) => c.json(await startDownload(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(stop, async (c) => c.json(await stopDownload(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(forget, async (c) => {
    await forgetDownload(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
