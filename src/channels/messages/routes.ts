import * as z from "zod";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { requireChannels } from "../find-channel.ts";
import { channelMessage } from "../schema.ts";
import { deleteMessage } from "./delete-message.ts";
import { editMessage } from "./edit-message.ts";
import { getMessage, getMessageData } from "./get-message.ts";
import { getHistory, listMessages } from "./history.ts";
import { listMentions } from "./list-mentions.ts";
import { listPinned, pinMessage } from "./pins.ts";
import { postMessage } from "./post-message.ts";
import { react } from "./reactions.ts";
import {
  historyPage,
  historyQuery,
  messageChange,
  messageData,
  newMessage,
  offsetQuery,
  pinChange,
  pinnedQuery,
  postKey,
  reactionName,
  searchPage,
  searchQuery,
} from "./schema.ts";
import { searchMessages } from "./search-messages.ts";

const base = "/api/v1/channels";
const all = `${base}/{id}/messages`;
const one = `${all}/{message_id}`;
const id = z.string().min(1).max(100);
const params = z.object({ id });
const oneParams = z.object({ id, message_id: id });
const closed = {
  403: { description: "The caller can see the channel but cannot read its messages" },
  404: { description: "No such channel or message, or no access to it" },
};
const theMessage = { ...answers("The message; times are epoch milliseconds", channelMessage), ...closed };
const done = { ...answers("Done", z.literal(true)), ...closed };
const page = { ...answers("A page of messages; times are epoch milliseconds", z.array(channelMessage)), ...closed };

const search = defineRoute({
  method: "get",
  path: `${base}/search`,
  rate: "searches",
  summary: "Search messages in the channels that the caller can read, newest first",
  request: { query: searchQuery },
  responses: { ...answers("A page; it may be short without being the last", searchPage), ...closed },
});
const history = defineRoute({
  method: "get",
  path: `${base}/{id}/history`,
  summary: "Messages of a channel or a thread by sequence number",
  request: { params, query: historyQuery },
  responses: { ...answers("A range without gaps", historyPage), ...closed },
});
const list = defineRoute({
  method: "get",
  path: all,
  summary: "Messages that are not in a thread, newest first",
  request: { params, query: offsetQuery },
  responses: page,
});
const pinned = defineRoute({
  method: "get",
  path: `${all}/pinned`,
  summary: "Pinned messages, latest pin first, 20 per page",
  request: { params, query: pinnedQuery },
  responses: page,
});
const mentions = defineRoute({
  method: "get",
  path: `${all}/mentions`,
  summary: "Unread messages that mention the caller, also in threads, oldest first, at most 20",
  request: { params },
  responses: page,
});
const post = defineRoute({
  method: "post",
  path: `${all}/post`,
  summary: "Post a message; repeating it with the same Idempotency-Key or temp_id does not create another one",
  request: { params, headers: z.object({ "idempotency-key": postKey.optional() }), ...jsonBody(newMessage) },
  responses: theMessage,
});
const read = defineRoute({
  method: "get",
  path: one,
  summary: "A message",
  request: { params: oneParams },
  responses: theMessage,
});
const data = defineRoute({
  method: "get",
  path: `${one}/data`,
  summary: "The files of a message and the data that its sender stored with it",
  request: { params: oneParams },
  responses: { ...answers("The stored data", messageData), ...closed },
});
const thread = defineRoute({
  method: "get",
  path: `${one}/thread`,
  summary: "The thread of a message, newest first, the first message last",
  request: { params: oneParams, query: offsetQuery },
  responses: page,
});
const update = defineRoute({
  method: "post",
  path: `${one}/update`,
  summary: "Edit a message",
  request: { params: oneParams, ...jsonBody(messageChange) },
  responses: { ...theMessage, 409: { description: "A model is still writing this message" } },
});
const pin = defineRoute({
  method: "post",
  path: `${one}/pin`,
  summary: "Pin or unpin a message",
  request: { params: oneParams, ...jsonBody(pinChange) },
  responses: theMessage,
});
const reaction = (added: boolean) =>
  defineRoute({
    method: "post",
    path: `${one}/reactions/${added ? "add" : "remove"}`,
    summary: added ? "React to a message" : "Remove a reaction",
    request: { params: oneParams, ...jsonBody(reactionName) },
    responses: { ...done, 409: { description: "Too many different reactions" } },
  });
const remove = defineRoute({
  method: "delete",
  path: `${one}/delete`,
  summary: "Delete a message; its replies stay",
  request: { params: oneParams },
  responses: done,
});

/** Messages in channels, with Open WebUI's paths and formats; times are milliseconds instead of nanoseconds. */
export function channelMessageRoutes() {
  const router = createRouter({ requires: requireChannels });
  router.openapi(search, async (c) => c.json(await searchMessages(contextOf(c), c.req.valid("query")), 200));
  router.openapi(history, async (c) =>
    c.json(await getHistory(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
  );
  router.openapi(list, async (c) =>
    c.json(await listMessages(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
  );
  router.openapi(pinned, async (c) =>
    c.json(await listPinned(contextOf(c), c.req.valid("param").id, c.req.valid("query").page), 200),
  );
  router.openapi(mentions, async (c) => c.json(await listMentions(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(post, async (c) => {
    const { "idempotency-key": key } = c.req.valid("header");
    return c.json(await postMessage(contextOf(c), c.req.valid("param").id, c.req.valid("json"), key), 200);
  });
  router.openapi(read, async (c) => {
    const { id, message_id } = c.req.valid("param");
    return c.json(await getMessage(contextOf(c), id, message_id), 200);
  });
  router.openapi(data, async (c) => {
    const { id, message_id } = c.req.valid("param");
    return c.json(await getMessageData(contextOf(c), id, message_id), 200);
  });
  router.openapi(thread, async (c) => {
    const { id, message_id } = c.req.valid("param");
    return c.json(await listMessages(contextOf(c), id, c.req.valid("query"), message_id), 200);
  });
  router.openapi(update, async (c) => {
    const { id, message_id } = c.req.valid("param");
    return c.json(await editMessage(contextOf(c), id, message_id, c.req.valid("json")), 200);
  });
  router.openapi(pin, async (c) => {
    const { id, message_id } = c.req.valid("param");
    return c.json(await pinMessage(contextOf(c), id, message_id, c.req.valid("json").is_pinned), 200);
  });
  for (const added of [true, false])
    router.openapi(reaction(added), async (c) => {
      const { id, message_id } = c.req.valid("param");
      await react(contextOf(c), id, message_id, { name: c.req.valid("json").name, added });
      return c.json(true as const, 200);
    });
  router.openapi(remove, async (c) => {
    const { id, message_id } = c.req.valid("param");
    await deleteMessage(contextOf(c), id, message_id);
    return c.json(true as const, 200);
  });
  return router;
}
