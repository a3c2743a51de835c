import * as z from "zod";
import { requirePermission } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../../people/schema.ts";
import { beginExport, exportFile, exportRecords, getExport } from "./exports.ts";
import { exportedFileParams, exportView, newExport, recordParams, recordQuery } from "./schema.ts";

const base = "/api/v1/exports";

const begin = defineRoute({
  method: "post",
  path: base,
  summary:
    "Begin an export of everything of the caller; of somebody else or of the whole service (system administrators)",
  request: jsonBody(newExport),
  responses: answers("The export, with the kinds of records that it has", exportView),
});
const get = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "An export of the caller, with how many records there are now",
  request: { params: idParam },
  responses: answers("The export", exportView),
});
const records = defineRoute({
  method: "get",
  path: `${base}/{id}/records/{kind}`,
  summary: "A page of the records of a kind",
  request: { params: recordParams, query: recordQuery },
  responses: {
    200: {
      description: "JSON Lines; the header X-Next-Cursor has the cursor of the next page, if there is one",
      content: { "application/jsonl": { schema: z.string() } },
    },
  },
});
const file = defineRoute({
  method: "get",
  path: `${base}/{id}/files/{file_id}`,
  summary: "The bytes of a file of an export",
  request: { params: exportedFileParams },
  responses: {
    200: { description: "The bytes", content: { "application/octet-stream": { schema: z.string() } } },
    404: { description: "No such file in this export" },
  },
});

export function exportRoutes() {
  const router = createRouter({ requires: (ctx) => requirePermission(ctx, "chat.export") });
  router.openapi(begin, async (c) => c.json(await beginExport(contextOf(c), c.req.valid("json")), 200));
  router.openapi(get, async (c) => c.json(await getExport(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(records, async (c) => {
    const { id, kind } = c.req.valid("param");
    const page = await exportRecords(contextOf(c), id, kind, c.req.valid("query").cursor);
    const lines = page.records.map((record) => `${JSON.stringify(record)}\n`).join("");
    return new Response(lines, {
      headers: {
        "content-type": "application/jsonl",
        "cache-control": "no-store",
        ...(page.nextCursor === null ? {} : { "x-next-cursor": page.nextCursor }),
      },
    }) as never;
  });
  router.openapi(file, async (c) => {
    const { id, file_id: fileId } = c.req.valid("param");
    const { body, size } = await exportFile(contextOf(c), id, fileId);
    const isHead = c.req.raw.method === "HEAD";
    if (isHead) await body.cancel();
    return new Response(isHead ? null : body, {
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(size),
        "content-disposition": "attachment",
        "cache-control": "no-store",
      },
    }) as never;
  });
  return router;
}
