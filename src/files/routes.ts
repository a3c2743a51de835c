import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../http/routes.ts";
import { getFile, readFile } from "./files.ts";
import { fileView } from "./schema.ts";

const params = { params: z.object({ id: z.string().min(1).max(300) }) };
const none = { description: "No such file of the caller" };

const one = createRoute({
  method: "get",
  path: "/api/v1/files/{id}",
  summary: "What is said of a file",
  request: params,
  responses: { 200: { description: "The file", content: { "application/json": { schema: fileView } } }, 404: none },
});
const content = createRoute({
  method: "get",
  path: "/api/v1/files/{id}/content",
  summary: "The bytes of a file",
  request: params,
  responses: {
    200: { description: "The bytes", content: { "application/octet-stream": { schema: z.string() } } },
    404: none,
  },
});

/** Shown in the page; everything else is saved, whatever it says of itself. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;

export function fileRoutes() {
  const router = createRouter();
  router.openapi(one, async (c) => c.json(await getFile(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(content, async (c) => {
    const { file, body } = await readFile(contextOf(c), c.req.valid("param").id);
    const { content_type: type, size } = file.meta;
    const how = shown.test(type) ? "inline" : "attachment";
    return c.body(body, 200, {
      "content-type": shown.test(type) || type === "application/pdf" ? type : "application/octet-stream",
      "content-length": String(size),
      "content-disposition": `${how}; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      // No page of this origin, whatever is in it.
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=3600",
    }) as never;
  });
  return router;
}
