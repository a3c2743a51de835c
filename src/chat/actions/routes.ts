import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../../http/routes.ts";
import { runAction } from "./run-action.ts";
import { actionBody } from "./schema.ts";

const action = createRoute({
  method: "post",
  path: "/api/chat/actions/{action_id}",
  summary: "Run an action (a button under a message)",
  description:
    "`action_id` is one of the model's `actions`. Returns the result of the action; changes that it makes to messages of a stored chat are stored.",
  request: {
    params: z.object({ action_id: z.string().min(1).max(600) }),
    body: { content: { "application/json": { schema: actionBody } }, required: true },
  },
  responses: {
    200: { description: "The result of the action", content: { "application/json": { schema: z.unknown() } } },
    400: { description: "The action failed; the message says how" },
    404: { description: "Unknown action, model, chat or message" },
  },
});

/** Actions: the buttons under messages, as in Open WebUI. */
export function actionRoutes() {
  const router = createRouter();
  router.openapi(action, async (c) => {
    const { action_id: id } = c.req.valid("param");
    return c.json(await runAction(contextOf(c), id, c.req.valid("json"), c.req.raw.signal), 200);
  });
  return router;
}
