import * as z from "zod";
import { readBytes } from "../../../http/body.ts";
import { answers, jsonBody } from "../../../http/json-route.ts";
import { contextOf, defineRoute, type Router } from "../../../http/routes.ts";
import { viewOf } from "../file-view.ts";
import { uploadedFile } from "../schema.ts";
import { completeUpload } from "./complete-upload.ts";
import { beginUpload, endUpload, getUpload, putPart } from "./parts.ts";
import { newUpload, partParam, partView, uploadParam, uploadView } from "./schema.ts";
import { requireUploader } from "./upload-rules.ts";

const base = "/api/v1/files/uploads";
const none = { 404: { description: "No such upload, or not yours" } };
const params = { params: uploadParam };

/** Largest part that is taken in, bytes; whether it is the right length is looked at afterwards. */
const maxPartBytes = 16 * 1024 * 1024;

const begin = defineRoute({
  method: "post",
  path: base,
  rate: "uploads",
  requires: requireUploader,
  summary: "Start an upload in parts, for large files and unreliable connections",
  request: jsonBody(newUpload),
  responses: { ...answers("The upload", uploadView), 413: { description: "The file is too large" } },
});
const one = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "The state of an upload",
  request: params,
  responses: { ...answers("The upload", uploadView), ...none },
});
const put = defineRoute({
  method: "put",
  path: `${base}/{id}/parts/{number}`,
  readsBody: true,
  summary: "Upload a part with its bytes as the body; uploading the same part again replaces it",
  request: { params: partParam },
  responses: { ...answers("The part", partView), ...none },
});
const complete = defineRoute({
  method: "post",
  path: `${base}/{id}/complete`,
  summary: "Complete an upload: create a file from its parts",
  request: params,
  responses: { ...answers("The file; `status` is true while it is being processed", uploadedFile), ...none },
});
const end = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Cancel an upload and delete its parts",
  request: params,
  responses: { ...answers("Done", z.literal(true)), ...none },
});

export function addPartRoutes(router: Router): void {
  router.openapi(begin, async (c) => c.json(await beginUpload(contextOf(c), c.req.valid("json")), 200));
  router.openapi(one, async (c) => c.json(await getUpload(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(put, async (c) => {
    const { id, number } = c.req.valid("param");
    return c.json(await putPart(contextOf(c), id, number, () => readBytes(c.req.raw, maxPartBytes)), 200);
  });
  router.openapi(complete, async (c) => {
    const { row, process } = await completeUpload(contextOf(c), c.req.valid("param").id);
    return c.json({ ...(process ? { status: true as const } : {}), ...viewOf(row) }, 200);
  });
  router.openapi(end, async (c) => {
    await endUpload(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
}
