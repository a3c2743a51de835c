import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { eventStream } from "../../http/event-stream.ts";
import { contextOf, type createRouter } from "../../http/routes.ts";
import { addFile, addFiles } from "./add-files.ts";
import { listBaseFiles } from "./base-files.ts";
import { moveFile, refreshFile } from "./change-files.ts";
import { changeDirectory, createDirectory, deleteDirectory } from "./directories.ts";
import { listPendingFiles, watchPendingFiles } from "./pending-files.ts";
import { removeFile } from "./remove-files.ts";
import { answer, base, body, directoryParams, done, none, params } from "./knowledge-route-parts.ts";
import {
  addedFile,
  addedFiles,
  baseFiles,
  baseFilesQuery,
  directoryChange,
  directoryRemoval,
  directoryView,
  knowledgeWithFiles,
  movedFile,
  newDirectory,
  oneFile,
  pendingFile,
  removalQuery,
  streamQuery,
} from "./schema.ts";

const changed = { ...answer("The knowledge base with its latest files", knowledgeWithFiles), ...none };

const files = createRoute({
  method: "get",
  path: `${base}/{id}/files`,
  summary: "Files of a knowledge base or of one of its directories",
  request: { params, query: baseFilesQuery },
  responses: { ...answer("One page", baseFiles), ...none },
});
const pending = createRoute({
  method: "get",
  path: `${base}/{id}/files/pending`,
  summary:
    "Files that are being added to a knowledge base; with stream=true as server-sent events until all are processed",
  request: { params, query: streamQuery },
  responses: {
    200: {
      description: "The files, oldest first",
      content: { "application/json": { schema: z.array(pendingFile) }, "text/event-stream": { schema: z.string() } },
    },
    ...none,
  },
});
const add = createRoute({
  method: "post",
  path: `${base}/{id}/file/add`,
  summary: "Add a file to a knowledge base; the same content can be added only once",
  request: { params, ...body(addedFile) },
  responses: {
    ...changed,
    400: {
      description: "The file has no text; `code` is file_processing, file_failed, file_no_text or file_not_processed",
    },
  },
});
const addMany = createRoute({
  method: "post",
  path: `${base}/{id}/files/batch/add`,
  summary: "Add several files to a knowledge base; `warnings` lists those that could not be added",
  request: { params, ...body(addedFiles) },
  responses: changed,
});
const refresh = createRoute({
  method: "post",
  path: `${base}/{id}/file/update`,
  summary: "Make a file searchable; a file that could not be read is processed again",
  request: { params, ...body(oneFile) },
  responses: changed,
});
const remove = createRoute({
  method: "post",
  path: `${base}/{id}/file/remove`,
  summary:
    "Remove a file from a knowledge base; the caller's own file is deleted unless it is used elsewhere or delete_file=false",
  request: { params, query: removalQuery, ...body(oneFile) },
  responses: changed,
});
const move = createRoute({
  method: "post",
  path: `${base}/{id}/file/move`,
  summary: "Move a file of a knowledge base to another directory",
  request: { params, ...body(movedFile) },
  responses: { ...done, ...none },
});
const makeDirectory = createRoute({
  method: "post",
  path: `${base}/{id}/dirs/create`,
  summary: "Create a directory",
  request: { params, ...body(newDirectory) },
  responses: { ...answer("The directory", directoryView), ...none },
});
const renameDirectory = createRoute({
  method: "post",
  path: `${base}/{id}/dirs/{dir_id}/update`,
  summary: "Rename or move a directory",
  request: { params: directoryParams, ...body(directoryChange) },
  responses: { ...answer("The directory", directoryView), ...none },
});
const removeDirectory = createRoute({
  method: "delete",
  path: `${base}/{id}/dirs/{dir_id}/delete`,
  summary: "Delete a directory: its files move up, or leave the base with move_files=false",
  request: { params: directoryParams, query: directoryRemoval },
  responses: { ...done, ...none },
});

export function addFileRoutes(router: ReturnType<typeof createRouter>): void {
  router.openapi(files, async (c) =>
    c.json(await listBaseFiles(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
  );
  router.openapi(pending, async (c) => {
    const ctx = contextOf(c);
    const { id } = c.req.valid("param");
    // What is not there is 404, before a stream begins.
    const now = await listPendingFiles(ctx, id);
    if (!c.req.valid("query").stream) return c.json(now, 200);
    return eventStream(c.req.raw, (signal) => watchPendingFiles(ctx, id, signal)) as never;
  });
  router.openapi(add, async (c) =>
    c.json(await addFile(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(addMany, async (c) =>
    c.json(await addFiles(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(refresh, async (c) =>
    c.json(await refreshFile(contextOf(c), c.req.valid("param").id, c.req.valid("json").file_id), 200),
  );
  router.openapi(remove, async (c) => {
    const { file_id: fileId } = c.req.valid("json");
    const { delete_file: deleteFile } = c.req.valid("query");
    return c.json(await removeFile(contextOf(c), c.req.valid("param").id, fileId, deleteFile), 200);
  });
  router.openapi(move, async (c) => {
    await moveFile(contextOf(c), c.req.valid("param").id, c.req.valid("json"));
    return c.json({ status: true as const }, 200);
  });
  router.openapi(makeDirectory, async (c) =>
    c.json(await createDirectory(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(renameDirectory, async (c) => {
    const { id, dir_id: directoryId } = c.req.valid("param");
    return c.json(await changeDirectory(contextOf(c), id, directoryId, c.req.valid("json")), 200);
  });
  router.openapi(removeDirectory, async (c) => {
    const { id, dir_id: directoryId } = c.req.valid("param");
    const { move_files: moveFiles, delete_file: deleteFile } = c.req.valid("query");
    await deleteDirectory(contextOf(c), id, directoryId, { moveFiles, deleteFile });
    return c.json({ status: true as const }, 200);
  });
}
