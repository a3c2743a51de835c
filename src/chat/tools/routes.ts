import * as z from "zod";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { chatsPath } from "../conversations/chat-route-parts.ts";
import { readResult } from "./read-result.ts";

const result = defineRoute({
  method: "get",
  path: `${chatsPath}/{chat_id}/messages/{message_id}/tools/{call_id}`,
  summary: "Get the full result of a tool call",
  request: { params: z.object({ chat_id: z.string(), message_id: z.string(), call_id: z.string() }) },
  responses: {
    200: { description: "The result as text", content: { "text/plain": { schema: z.string() } } },
    404: { description: "No such tool call in the caller's chats" },
  },
});

export function toolResultRoutes() {
  const router = createRouter();
  router.openapi(result, async (c) => {
    const { chat_id: chatId, message_id: messageId, call_id: callId } = c.req.valid("param");
    const { name, body } = await readResult(contextOf(c), chatId, messageId, callId);
    // Whatever a tool gave, it is text to be read, never a page of this origin.
    return c.body(body, 200, {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache",
    }) as never;
  });
  return router;
}
