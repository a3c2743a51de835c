import * as z from "zod";
import { requirePermission } from "../../access.ts";
import { answers, flagBody, jsonBody, optionalBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { chatsPath as base } from "./chat-route-parts.ts";
import { cloneChat, getChat, isPinned, mark } from "./chats.ts";
import { deleteChat } from "./delete-chats.ts";
import { deleteMessage, editMessage } from "./edit-chat-message.ts";
import { forkChat } from "./fork-chat.ts";
import { saveChat } from "./save-chat.ts";
import { chatResponse, cloneBody, editMessageBody, forkBody, saveChatBody, tag, tagBody } from "./schema.ts";
import { addTag, listChatTags, removeTags } from "./tags.ts";

const one = { params: z.object({ id: z.string() }) };
const oneMessage = { params: z.object({ id: z.string(), message_id: z.string() }) };
const theChat = answers("The chat", chatResponse);
const theTags = answers("Tags", z.array(tag));
const done = answers("Done", z.boolean());

/** One chat: reading, saving, flags, tags, messages. */
export function oneChatRoutes() {
  const router = createRouter();

  const readQuery = z.object({
    /** False leaves out the flat list `messages`, which repeats the current branch. */
    flat: z.enum(["true", "false"]).default("true"),
  });
  router.openapi(
    defineRoute({
      method: "get",
      path: `${base}/{id}`,
      summary: "Read a chat",
      request: { ...one, query: readQuery },
      responses: theChat,
    }),
    async (c) => {
      const chat = await getChat(contextOf(c), c.req.valid("param").id);
      if (c.req.valid("query").flat === "false") chat.chat.messages = [];
      return c.json(chat, 200);
    },
  );
  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/{id}`,
      summary: "Merge a chat document into the stored chat",
      request: { ...one, ...jsonBody(saveChatBody) },
      responses: theChat,
    }),
    async (c) => {
      const { chat, folder_id: folderId } = c.req.valid("json");
      return c.json(await saveChat(contextOf(c), c.req.valid("param").id, chat, folderId), 200);
    },
  );
  router.openapi(
    defineRoute({
      method: "delete",
      path: `${base}/{id}`,
      requires: (ctx) => requirePermission(ctx, "chat.delete"),
      summary: "Delete a chat",
      request: one,
      responses: done,
    }),
    async (c) => {
      await deleteChat(contextOf(c), c.req.valid("param").id);
      return c.json(true, 200);
    },
  );

  for (const [action, flag, summary] of [
    ["pin", "pinned", "Pin or unpin a chat; without `pinned`, toggle it"],
    ["archive", "archived", "Archive or unarchive a chat; without `archived`, toggle it"],
  ] as const) {
    router.openapi(
      defineRoute({
        method: "post",
        path: `${base}/{id}/${action}`,
        summary,
        request: { ...one, ...flagBody(flag) },
        responses: theChat,
      }),
      async (c) => c.json(await mark(contextOf(c), c.req.valid("param").id, flag, c.req.valid("json")?.[flag]), 200),
    );
  }
  router.openapi(
    defineRoute({
      method: "get",
      path: `${base}/{id}/pinned`,
      summary: "Whether the chat is pinned",
      request: one,
      responses: done,
    }),
    async (c) => c.json(await isPinned(contextOf(c), c.req.valid("param").id), 200),
  );

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/{id}/clone`,
      summary: "Copy a chat",
      requires: (ctx) => requirePermission(ctx, "chat.fork"),
      request: { ...one, ...optionalBody(cloneBody) },
      responses: theChat,
    }),
    async (c) => c.json(await cloneChat(contextOf(c), c.req.valid("param").id, c.req.valid("json")?.title), 200),
  );

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/{id}/fork`,
      summary: "Begin a new chat with the branch up to a message",
      requires: (ctx) => requirePermission(ctx, "chat.fork"),
      request: { ...one, ...optionalBody(forkBody) },
      responses: theChat,
    }),
    async (c) => c.json(await forkChat(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );

  router.openapi(
    defineRoute({
      method: "get",
      path: `${base}/{id}/tags`,
      summary: "List the chat's tags",
      request: one,
      responses: theTags,
    }),
    async (c) => c.json(await listChatTags(contextOf(c), c.req.valid("param").id), 200),
  );
  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/{id}/tags`,
      summary: "Add a tag",
      request: { ...one, ...jsonBody(tagBody) },
      responses: theTags,
    }),
    async (c) => c.json(await addTag(contextOf(c), c.req.valid("param").id, c.req.valid("json").name), 200),
  );
  router.openapi(
    defineRoute({
      method: "delete",
      path: `${base}/{id}/tags`,
      summary: "Remove a tag",
      request: { ...one, ...jsonBody(tagBody) },
      responses: theTags,
    }),
    async (c) => c.json(await removeTags(contextOf(c), c.req.valid("param").id, c.req.valid("json").name), 200),
  );
  router.openapi(
    defineRoute({
      method: "delete",
      path: `${base}/{id}/tags/all`,
      summary: "Remove all tags",
      request: one,
      responses: done,
    }),
    async (c) => {
      await removeTags(contextOf(c), c.req.valid("param").id);
      return c.json(true, 200);
    },
  );

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/{id}/messages/{message_id}`,
      summary: "Edit a message",
      requires: (ctx) => requirePermission(ctx, "chat.edit"),
      request: { ...oneMessage, ...jsonBody(editMessageBody) },
      responses: theChat,
    }),
    async (c) => {
      const { id, message_id: messageId } = c.req.valid("param");
      return c.json(await editMessage(contextOf(c), id, messageId, c.req.valid("json").content), 200);
    },
  );
  router.openapi(
    defineRoute({
      method: "delete",
      path: `${base}/{id}/messages/{message_id}`,
      summary: "Delete a message and all messages below it",
      requires: (ctx) => requirePermission(ctx, "chat.delete"),
      request: oneMessage,
      responses: theChat,
    }),
    async (c) => {
      const { id, message_id: messageId } = c.req.valid("param");
      return c.json(await deleteMessage(contextOf(c), id, messageId), 200);
    },
  );

  return router;
}
