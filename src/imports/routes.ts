import * as z from "zod";
import { requireAdmin } from "../access.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { validationError } from "../http/validation-error.ts";
import { idParam } from "../people/schema.ts";
import { importFile } from "./documents/import-file.ts";
import { importRecords } from "./import-records.ts";
import { beginImport, forgetImport, getImport, listImports, listItems } from "./imports.ts";
import {
  fileParams,
  fileQuery,
  importList,
  importView,
  itemsPage,
  itemsQuery,
  newImport,
  recordResult,
  recordsAnswer,
  recordsBody,
} from "./schema.ts";

const base = "/api/v1/imports";

const begin = defineRoute({
  method: "post",
  path: base,
  summary: "Begin an import, or go on with the one of the same source (system administrators)",
  request: jsonBody(newImport),
  responses: answers("The import", importView),
});
const list = defineRoute({
  method: "get",
  path: base,
  summary: "Imports and how far they are (system administrators)",
  responses: answers("The newest 100", importList),
});
const get = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "An import and how far it is (system administrators)",
  request: { params: idParam },
  responses: answers("The import", importView),
});
const records = defineRoute({
  method: "post",
  path: `${base}/{id}/records`,
  summary: "Import records; those of earlier requests are not imported again (system administrators)",
  maxBody: 16_000_000,
  mendsTexts: true,
  request: { params: idParam, ...jsonBody(recordsBody) },
  responses: answers("What became of each, in the same order", recordsAnswer),
});
const file = defineRoute({
  method: "put",
  path: `${base}/{id}/files/{file_id}`,
  rate: "uploads",
  readsBody: true,
  summary:
    "Import a file with its bytes as the body; one of an earlier request is not imported again (system administrators)",
  request: {
    params: fileParams,
    query: fileQuery,
    body: { content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } } },
  },
  responses: answers("What became of it", recordResult),
});
const items = defineRoute({
  method: "get",
  path: `${base}/{id}/items`,
  summary: "What became of the records of an import (system administrators)",
  request: { params: idParam, query: itemsQuery },
  responses: answers("A page of them", itemsPage),
});
const forget = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Forget what an import has brought, and keep all of it (system administrators)",
  request: { params: idParam },
  responses: { 204: { description: "Forgotten" } },
});

export function importRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(begin, async (c) => c.json(await beginImport(contextOf(c), c.req.valid("json")), 200));
  router.openapi(list, async (c) => c.json({ imports: await listImports(contextOf(c)) }, 200));
  router.openapi(get, async (c) => c.json(await getImport(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(records, async (c) =>
    c.json({ results: await importRecords(contextOf(c), c.req.valid("param").id, c.req.valid("json")) }, 200),
  );
  router.raw(file, async (c) => {
    const params = fileParams.safeParse(c.req.param());
    const query = fileQuery.safeParse(c.req.query());
    if (!params.success) throw validationError(params.error);
    if (!query.success) throw validationError(query.error);
    const ctx = contextOf(c);
    const { id, file_id: fileId } = params.data;
    const imported = importFile(ctx, id, fileId, query.data, c.req.raw);
    // Where the sender goes away what has come of it is still taken away.
    ctx.waitUntil(imported.catch(() => undefined));
    return c.json(await imported, 200);
  });
  router.openapi(items, async (c) =>
    c.json(await listItems(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
  );
  router.openapi(forget, async (c) => {
    await forgetImport(contextOf(c), c.req.valid("param").id);
    return c.body(null, 204);
  });
  return router;
}
