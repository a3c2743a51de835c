import * as z from "zod";
import { largeBody } from "../../http/body.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { runAction } from "./run-action.ts";
import { actionBody } from "./schema.ts";

const action = defineRoute({
  method: "post",
  path: "/api/chat/actions/{action_id}",
  summary: "Press a button under a message",
  description:
    "`action_id` is one of the `actions` of the model. Answers with what the action returns; what it returns for messages of a stored chat is stored.",
  request: {
    params: z.object({ action_id: z.string().min(1).max(600) }),
    body: { content: { "application/json": { schema: actionBody } }, required: true },
  },
  responses: {
    200: { description: "What the action returned", content: { "application/json": { schema: z.unknown() } } },
    400: { description: "The action failed; the message says how" },
    404: { description: "Unknown action, model, chat or message" },
  },
});

/** Buttons under messages (peer facts 3.5). */
export function actionRoutes() {
  const router = createRouter({ maxBody: largeBody, mendsTexts: true });
  router.openapi(action, async (c) => {
    const { action_id: id } = c.req.valid("param");
    return c.json(await runAction(contextOf(c), id, c.req.valid("json"), c.req.raw.signal), 200);
  });
  return router;
}
