import * as z from "zod";
import { eventStream } from "../../http/event-stream.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { validationError } from "../../http/validation-error.ts";
import { deleteFile, renameFile } from "./change-file.ts";
import { addContentRoutes } from "./content-routes.ts";
import { findFileUses } from "./file-uses.ts";
import { viewOf } from "./file-view.ts";
import { getPassage } from "./get-passage.ts";
import { countFiles, listFiles, searchFiles } from "./list-files.ts";
import { listOwnFiles } from "./own-files.ts";
import { processFile } from "./process-file.ts";
import {
  fileList,
  fileParam,
  fileStatus,
  fileUses,
  fileView,
  listQuery,
  ownFilePage,
  ownFilesQuery,
  passageParam,
  passageView,
  renameBody,
  searchQuery,
  statusQuery,
  uploadedFile,
  uploadQuery,
} from "./schema.ts";
import { addPartRoutes } from "./upload/part-routes.ts";
import { uploadForm } from "./upload/upload-form.ts";
import { requireUploader } from "./upload/upload-rules.ts";
import { fileStatus as statusOfFile, settledFile, watchStatus } from "./watch-status.ts";

const base = "/api/v1/files";
const none = { 404: { description: "No such file, or no access to it" } };
const params = { params: fileParam };

const list = (path: string) =>
  defineRoute({
    method: "get",
    path,
    summary: "The caller's files, newest first; for system administrators the files of all people",
    request: { query: listQuery },
    responses: answers("50 per page, without their texts", fileList),
  });
const search = defineRoute({
  method: "get",
  path: `${base}/search`,
  rate: "searches",
  summary: "Search files by name",
  request: { query: searchQuery },
  responses: answers("Files whose names match", z.array(fileView)),
});
const own = defineRoute({
  method: "get",
  path: `${base}/own`,
  rate: "searches",
  summary: "The caller's own files, newest or largest first, a page after another",
  request: { query: ownFilesQuery },
  responses: answers("One page", ownFilePage),
});
const uses = defineRoute({
  method: "get",
  path: `${base}/{id}/uses`,
  summary: "Where a file of the caller is used",
  request: params,
  responses: { ...answers("The places", fileUses), ...none },
});
const count = defineRoute({
  method: "get",
  path: `${base}/count`,
  summary: "How many files the list has",
  responses: answers("The number", z.number().int()),
});
const status = defineRoute({
  method: "get",
  path: `${base}/{id}/process/status`,
  summary: "The processing status of a file; with stream=true as server-sent events until it is completed or failed",
  request: { ...params, query: statusQuery },
  responses: {
    200: {
      description: "The status",
      content: { "application/json": { schema: fileStatus }, "text/event-stream": { schema: z.string() } },
    },
    ...none,
  },
});
const process = defineRoute({
  method: "post",
  path: `${base}/{id}/process`,
  summary: "Process a file, again or for the first time",
  request: params,
  responses: { ...answers("The file, with the status pending", fileView), ...none },
});
const rename = defineRoute({
  method: "post",
  path: `${base}/{id}/rename`,
  summary: "Rename a file",
  request: { ...params, ...jsonBody(renameBody) },
  responses: { ...answers("The file", fileView), ...none },
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a file with its text and passages",
  request: params,
  responses: { ...answers("Done", z.object({ message: z.string() })), ...none },
});
const passage = defineRoute({
  method: "get",
  path: `${base}/{id}/passages/{chunk}`,
  summary: "Get a passage of a file that an answer cites",
  request: { params: passageParam },
  responses: { ...answers("The passage", passageView), ...none },
});

export function fileRoutes() {
  const router = createRouter();
  for (const path of [base, `${base}/`]) {
    // Not by a route with a body: a validator would take all of it into memory.
    const upload = defineRoute({
      method: "post",
      path,
      rate: "uploads",
      requires: requireUploader,
      readsBody: true,
      summary: "Upload a file",
      request: {
        query: uploadQuery,
        body: {
          content: {
            "multipart/form-data": {
              schema: z.object({
                file: z.string().meta({ format: "binary" }),
                metadata: z.string().optional().meta({ description: "A JSON object that is stored with the file" }),
              }),
            },
          },
        },
      },
      responses: {
        ...answers("The file; `status` is true while it is being processed", uploadedFile),
        413: { description: "The file is too large" },
        415: { description: "This type of file may not be uploaded" },
      },
    });
    router.raw(upload, async (c) => {
      const query = uploadQuery.safeParse(c.req.query());
      if (!query.success) throw validationError(query.error);
      const { process: isRead, process_in_background: inBackground } = query.data;
      const ctx = contextOf(c);
      const stored = uploadForm(ctx, c.req.raw, isRead);
      // Where the sender goes away what has come of it is still taken away.
      ctx.waitUntil(stored.catch(() => undefined));
      const row = await stored;
      const shown = isRead && !inBackground ? await settledFile(ctx, row.id, c.req.raw.signal) : row;
      return c.json({ ...(isRead ? { status: true as const } : {}), ...viewOf(shown) }, 200);
    });
    router.openapi(list(path), async (c) => c.json(await listFiles(contextOf(c), c.req.valid("query").page), 200));
  }
  router.openapi(search, async (c) => c.json(await searchFiles(contextOf(c), c.req.valid("query")), 200));
  router.openapi(own, async (c) => c.json(await listOwnFiles(contextOf(c), c.req.valid("query")), 200));
  router.openapi(uses, async (c) => c.json(await findFileUses(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(count, async (c) => c.json(await countFiles(contextOf(c)), 200));
  addPartRoutes(router);
  addContentRoutes(router);
  router.openapi(status, async (c) => {
    const ctx = contextOf(c);
    const { id } = c.req.valid("param");
    if (!c.req.valid("query").stream) return c.json(await statusOfFile(ctx, id), 200);
    // What is not there is 404, before the stream begins.
    await statusOfFile(ctx, id);
    return eventStream(c.req.raw, (signal) => watchStatus(ctx, id, signal)) as never;
  });
  router.openapi(process, async (c) => c.json(await processFile(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(rename, async (c) => {
    const { filename } = c.req.valid("json");
    return c.json(await renameFile(contextOf(c), c.req.valid("param").id, filename), 200);
  });
  router.openapi(passage, async (c) => {
    const { id, chunk } = c.req.valid("param");
    return c.json(await getPassage(contextOf(c), id, chunk), 200);
  });
  router.openapi(remove, async (c) => {
    await deleteFile(contextOf(c), c.req.valid("param").id);
    return c.json({ message: "The file was deleted" }, 200);
  });
  return router;
}
