import * as z from "zod";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { channelMessage } from "../schema.ts";
import { regenerateReply } from "./regenerate-reply.ts";
import { stopReply } from "./stop-reply.ts";

const id = z.string().min(1).max(200);
const answer = {
  200: {
    description: "The message as it is now; times are epoch milliseconds",
    content: { "application/json": { schema: channelMessage } },
  },
  403: { description: "The caller has not asked for it and does not manage the channel, or channels are switched off" },
  404: { description: "No such message for the caller" },
  422: { description: "The message is no answer of a model" },
};
const route = <P extends string, R extends typeof answer>(action: P, summary: string, responses: R) =>
  defineRoute({
    method: "post",
    path: `/api/v1/channels/{id}/messages/{message_id}/${action}`,
    summary,
    request: { params: z.object({ id, message_id: id }) },
    responses,
  });

const stop = route(
  "stop",
  "End an answer that a model is writing: what has arrived stays (whoever asked, managers of the channel)",
  answer,
);
const regenerate = route(
  "regenerate",
  "Have the model answer anew, for the caller (whoever asked, managers of the channel)",
  { ...answer, 409: { description: "It is being written, or what was asked is deleted" } },
);

export function channelReplyRoutes() {
  const router = createRouter();
  router.openapi(stop, async (c) => {
    const { id, message_id } = c.req.valid("param");
    return c.json(await stopReply(contextOf(c), id, message_id), 200);
  });
  router.openapi(regenerate, async (c) => {
    const { id, message_id } = c.req.valid("param");
    return c.json(await regenerateReply(contextOf(c), id, message_id), 200);
  });
  return router;
}
