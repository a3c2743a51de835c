import * as z from "zod";
import { requireAdmin, requirePermission } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { rebuildIndex } from "../retrieval/embedding/rebuild-index.ts";
import { deleteKnowledge, resetKnowledge } from "./empty-knowledge.ts";
import { exportKnowledge } from "./export-knowledge.ts";
import { addFileRoutes } from "./file-routes.ts";
import { importKnowledge } from "./import-knowledge.ts";
import { base, none, params } from "./knowledge-route-parts.ts";
import { changeKnowledge, createKnowledge, getKnowledge } from "./knowledge.ts";
import { listKnowledge, searchKnowledgeFiles } from "./list-knowledge.ts";
import {
  fileHits,
  fileSearchQuery,
  importedKnowledge,
  importQuery,
  knowledgeAccess,
  knowledgeChange,
  knowledgePage,
  knowledgeView,
  newKnowledge,
  oneKnowledge,
  pageQuery,
  removalQuery,
  resetQuery,
  searchQuery,
} from "./schema.ts";
import { addSyncRoutes } from "./sync/routes.ts";

const list = (path: string) =>
  defineRoute({
    method: "get",
    path,
    summary: "Knowledge bases that the caller can read, last changed first",
    request: { query: pageQuery },
    responses: answers("30 per page", knowledgePage),
  });
const search = defineRoute({
  method: "get",
  path: `${base}/search`,
  rate: "searches",
  summary: "Search knowledge bases by name and description",
  request: { query: searchQuery },
  responses: answers("30 per page", knowledgePage),
});
const searchFiles = defineRoute({
  method: "get",
  path: `${base}/search/files`,
  rate: "searches",
  summary: "Search files by name in all knowledge bases that the caller can read",
  request: { query: fileSearchQuery },
  responses: answers("30 per page", fileHits),
});
const create = defineRoute({
  method: "post",
  path: `${base}/create`,
  requires: (ctx) => requirePermission(ctx, "workspace.knowledge"),
  summary: "Create a knowledge base",
  request: jsonBody(newKnowledge),
  responses: answers("The knowledge base", knowledgeView),
});
const reindex = defineRoute({
  method: "post",
  path: `${base}/reindex`,
  requires: requireAdmin,
  summary:
    "Rebuild all vectors; search uses the old ones meanwhile (administrators). Same as /api/v1/retrieval/embedding/rebuild",
  responses: { ...answers("Started", z.literal(true)), 409: { description: "No embedding model is chosen" } },
});
const one = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "Get a knowledge base; its files have a list of their own",
  request: { params },
  responses: { ...answers("The knowledge base", oneKnowledge), ...none },
});
const update = defineRoute({
  method: "post",
  path: `${base}/{id}/update`,
  summary: "Update a knowledge base; only the fields in the body change",
  request: { params, ...jsonBody(knowledgeChange) },
  responses: { ...answers("The knowledge base", knowledgeView), ...none },
});
const access = defineRoute({
  method: "post",
  path: `${base}/{id}/access/update`,
  summary: "Set who can read and change a knowledge base",
  request: { params, ...jsonBody(knowledgeAccess) },
  responses: { ...answers("The knowledge base", knowledgeView), ...none },
});
const reset = defineRoute({
  method: "post",
  path: `${base}/{id}/reset`,
  summary: "Remove all files from a knowledge base",
  request: { params, query: resetQuery },
  responses: { ...answers("The knowledge base", knowledgeView), ...none },
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}/delete`,
  summary: "Delete a knowledge base",
  request: { params, query: removalQuery },
  responses: { ...answers("Done", z.literal(true)), ...none },
});
const exported = defineRoute({
  method: "get",
  path: `${base}/{id}/export`,
  summary: "Download all original files of a knowledge base as a zip file",
  request: { params },
  responses: {
    200: { description: "The zip file", content: { "application/zip": { schema: z.string() } } },
    ...none,
    413: { description: "Too large for one zip file" },
  },
});
const imported = defineRoute({
  method: "post",
  path: `${base}/import`,
  requires: (ctx) => requirePermission(ctx, "workspace.knowledge"),
  rate: "uploads",
  readsBody: true,
  summary: "Make a knowledge base of a zip file: all of it, or nothing",
  request: {
    query: importQuery,
    body: { content: { "application/zip": { schema: z.string() } }, description: "The zip file" },
  },
  responses: {
    ...answers("The knowledge base; its files are being read", importedKnowledge),
    400: { description: "Not a zip file that can be read, with the reason" },
    413: { description: "Too large, or no room for it" },
    415: { description: "It has a file of a type that is not allowed" },
  },
});

/** Collections of files that people and models search, with Open WebUI's paths and formats. */
export function knowledgeRoutes() {
  const router = createRouter();
  for (const path of [base, `${base}/`])
    router.openapi(list(path), async (c) => c.json(await listKnowledge(contextOf(c), c.req.valid("query")), 200));
  router.openapi(search, async (c) => c.json(await listKnowledge(contextOf(c), c.req.valid("query")), 200));
  router.openapi(searchFiles, async (c) => c.json(await searchKnowledgeFiles(contextOf(c), c.req.valid("query")), 200));
  router.openapi(create, async (c) => c.json(await createKnowledge(contextOf(c), c.req.valid("json")), 200));
  router.openapi(reindex, async (c) => {
    await rebuildIndex(contextOf(c));
    return c.json(true as const, 200);
  });
  router.openapi(one, async (c) =>
    c.json({ ...(await getKnowledge(contextOf(c), c.req.valid("param").id)), files: null }, 200),
  );
  router.openapi(update, async (c) =>
    c.json(await changeKnowledge(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(access, async (c) =>
    c.json(await changeKnowledge(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(reset, async (c) => {
    const { delete_file: deleteFile, include_directories: includeDirectories } = c.req.valid("query");
    return c.json(await resetKnowledge(contextOf(c), c.req.valid("param").id, { deleteFile, includeDirectories }), 200);
  });
  router.openapi(remove, async (c) => {
    const { delete_file: deleteFile } = c.req.valid("query");
    await deleteKnowledge(contextOf(c), c.req.valid("param").id, { deleteFile });
    return c.json(true as const, 200);
  });
  router.openapi(imported, async (c) =>
    c.json(await importKnowledge(contextOf(c), c.req.raw, c.req.valid("query").name), 200),
  );
  router.openapi(exported, async (c) => {
    const { name, body: bytes } = await exportKnowledge(contextOf(c), c.req.valid("param").id);
    return c.body(bytes, 200, {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(`${name.toWellFormed()}.zip`)}`,
      "cache-control": "no-store",
    }) as never;
  });
  addFileRoutes(router);
  addSyncRoutes(router);
  return router;
}
