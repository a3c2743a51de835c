import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { AppError } from "../../errors.ts";
import { contextOf, createRouter } from "../../http/routes.ts";
import { answers, chatsPath as base } from "../conversations/chat-route-parts.ts";
import { exportChat } from "./export-chat.ts";
import { importFile } from "./import-file.ts";
import { exportQuery, importReport } from "./schema.ts";

const exported = createRoute({
  method: "get",
  path: `${base}/{id}/export`,
  summary: "One's own chat as a file: Markdown or text of the branch shown, or all of it as JSON",
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
    404: { description: "No such chat of the caller's" },
  },
});
const imported = createRoute({
  method: "post",
  path: `${base}/import/file`,
  summary: "Store the chats of an exported file, however large, and say what was left out",
  request: {
    body: {
      required: true,
      description: "A list of chats, or one chat, as JSON: an export of this service, of the peer, or of ChatGPT",
      content: { "application/octet-stream": { schema: z.unknown() } },
    },
  },
  responses: { ...answers("What came of it", importReport), 400: { description: "It is no export" } },
});

/** Chats as files. The import reads its body itself, while it comes in. Stands before the chats: literal paths first. */
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
    if (!body) throw new AppError("bad_request", "There is no file in the request");
    return c.json(await importFile(contextOf(c), body), 200);
  });
  return router;
}
