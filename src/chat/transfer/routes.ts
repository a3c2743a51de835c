import * as z from "zod";
import { requirePermission } from "../../access.ts";
import { AppError } from "../../errors.ts";
import { answers } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { chatsPath as base } from "../conversations/chat-route-parts.ts";
import { exportChat } from "./export-chat.ts";
import { importFile } from "./import-file.ts";
import { exportQuery, importReport } from "./schema.ts";

const exported = defineRoute({
  method: "get",
  path: `${base}/{id}/export`,
  requires: (ctx) => requirePermission(ctx, "chat.export"),
  summary: "Download one of the caller's chats: the current branch as Markdown or text, or the whole chat as JSON",
  request: { params: z.object({ id: z.string().max(100) }), query: exportQuery },
  responses: {
    200: {
      description: "The file",
      content: {
        "text/markdown": { schema: z.string() },
        "text/plain": { schema: z.string() },
        "application/json": { schema: z.array(z.unknown()) },
      },
    },
    404: { description: "No such chat, or not yours" },
  },
});
const imported = defineRoute({
  method: "post",
  path: `${base}/import/file`,
  requires: (ctx) => requirePermission(ctx, "chat.import"),
  readsBody: true,
  summary: "Import the chats of an export file of any size, and report what was left out",
  request: {
    body: {
      required: true,
      description:
        "A list of chats or a single chat as JSON: an export of this service, of Open WebUI, ChatGPT, Claude or LibreChat; or the zip file of ChatGPT, Claude or this service",
      content: { "application/octet-stream": { schema: z.unknown() } },
    },
  },
  responses: {
    ...answers("What was imported and what was left out", importReport),
    400: { description: "The file is not a chat export" },
  },
});

/**
 * Chats as files. The import reads its body itself, while it arrives.
 */
export function transferRoutes() {
  const router = createRouter();
  router.openapi(exported, async (c) => {
    const { name, contentType, text } = await exportChat(
      contextOf(c),
      c.req.valid("param").id,
      c.req.valid("query").format,
    );
    return c.body(text, 200, {
      "content-type": contentType,
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      "cache-control": "no-store",
    }) as never;
  });
  router.openapi(imported, async (c) => {
    const body = c.req.raw.body;
    if (!body) throw new AppError("bad_request", "The request contains no file");
    return c.json(await importFile(contextOf(c), body), 200);
  });
  return router;
}
