import * as z from "zod";
import { requirePermission } from "../../access.ts";
import { answers, optionalBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { compactChat } from "./compact-chat.ts";
import { compactedChat, compactForm } from "./schema.ts";

const compact = defineRoute({
  method: "post",
  path: "/api/v1/chats/{id}/compact",
  summary: "Have everything before the last question summarized for models; all messages stay",
  requires: (ctx) => requirePermission(ctx, "features.context_compaction"),
  request: {
    params: z.object({ id: z.string() }),
    ...optionalBody(compactForm),
  },
  responses: answers("What was summarized", compactedChat),
});

/** Shortening a conversation by hand, at the path of Open WebUI. */
export function compactionRoutes() {
  const router = createRouter();
  router.openapi(compact, async (c) =>
    c.json(await compactChat(contextOf(c), c.req.valid("param").id, c.req.valid("json") ?? {}, c.req.raw.signal), 200),
  );
  return router;
}
