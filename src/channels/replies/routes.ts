import * as z from "zod";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { requireChannels } from "../find-channel.ts";
import { channelMessage } from "../schema.ts";
import { regenerateReply } from "./regenerate-reply.ts";
import { stopReply } from "./stop-reply.ts";

const id = z.string().min(1).max(200);
const answer = {
  200: {
    description: "The updated message; times are epoch milliseconds",
    content: { "application/json": { schema: channelMessage } },
  },
  403: {
    description: "The caller neither asked for this answer nor manages the channel, or channels are switched off",
  },
  404: { description: "No such message, or no access to it" },
  422: { description: "The message is not a model's answer" },
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
  "Stop an answer that a model is writing; what has arrived is kept (the person who asked, managers of the channel)",
  answer,
);
const regenerate = route(
  "regenerate",
  "Regenerate a model's answer on behalf of the caller (the person who asked, managers of the channel)",
  { ...answer, 409: { description: "The answer is still being written, or the question was deleted" } },
);

export function channelReplyRoutes() {
  const router = createRouter({ requires: requireChannels });
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
