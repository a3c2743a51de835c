import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../../http/routes.ts";
import { archiveAll, cloneChat, createChat, deleteAllChats, deleteChat, getChat, toggleMark } from "./chats.ts";
import { deleteMessage, editMessage } from "./edit-message.ts";
import { importChats } from "./import-chats.ts";
import { exportChats, listChats } from "./list-chats.ts";
import { saveChat } from "./save-chat.ts";
import {
  chatResponse,
  chatSummary,
  cloneBody,
  editMessageBody,
  foundChat,
  importBody,
  newChatBody,
  saveChatBody,
  tag,
  tagBody,
  type ImportedChat,
} from "./schema.ts";
import { searchChats } from "./search-chats.ts";
import { streamArray } from "./stream-array.ts";
import { addTag, listChatTags, listTags, removeTags } from "./tags.ts";

const base = "/api/v1/chats";
const one = { params: z.object({ id: z.string() }) };
const oneMessage = { params: z.object({ id: z.string(), message_id: z.string() }) };
const page = z.coerce.number().int().min(1).max(100_000);
const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");

const listQuery = z.object({
  page: page.optional(),
  cursor: z.string().max(1000).optional(),
  include_pinned: flag.optional(),
  include_folders: flag.optional(),
});

function answers<S extends z.ZodType>(description: string, schema: S) {
  return { 200: { description, content: { "application/json": { schema } } } };
}

function takes<S extends z.ZodType>(schema: S) {
  return { required: true, content: { "application/json": { schema } } };
}

const theChat = answers("The chat", chatResponse);
const theTags = answers("Tags", z.array(tag));
const done = answers("Done", z.boolean());
const summaries = answers("Most recently changed first; `x-next-cursor` names the next page", z.array(chatSummary));

/** The chats API of the peer (peer facts 7.9) over rows. Literal paths stand before those with an id. */
export function conversationRoutes() {
  const router = createRouter();

  for (const path of [base, `${base}/`, `${base}/list`]) {
    router.openapi(
      createRoute({
        method: "get",
        path,
        summary: "List one's chats",
        request: { query: listQuery },
        responses: summaries,
      }),
      async (c) => {
        const { page, cursor, include_pinned: includePinned, include_folders: includeFolders } = c.req.valid("query");
        const list = await listChats(contextOf(c), { which: "open", page, cursor, includePinned, includeFolders });
        if (list.nextCursor !== null) c.header("x-next-cursor", list.nextCursor);
        return c.json(list.chats, 200);
      },
    );
  }

  for (const which of ["pinned", "archived"] as const) {
    router.openapi(
      createRoute({
        method: "get",
        path: `${base}/${which}`,
        summary: `List one's ${which} chats`,
        request: { query: listQuery },
        responses: summaries,
      }),
      async (c) => {
        const { page, cursor } = c.req.valid("query");
        const list = await listChats(contextOf(c), { which, page, cursor });
        if (list.nextCursor !== null) c.header("x-next-cursor", list.nextCursor);
        return c.json(list.chats, 200);
      },
    );
  }

  for (const [path, which] of [
    [`${base}/all`, "all"],
    [`${base}/all/archived`, "archived"],
  ] as const) {
    router.openapi(
      createRoute({
        method: "get",
        path,
        summary: "Export whole chats",
        responses: answers("Chats", z.array(chatResponse)),
      }),
      (c) =>
        // Written as it is read; the type of the answer is the schema's.
        streamArray(exportChats(contextOf(c), which)) as never,
    );
  }

  const searchQuery = z.object({ text: z.string().max(1000).default(""), page: page.default(1) });
  router.openapi(
    createRoute({
      method: "get",
      path: `${base}/search`,
      summary: "Search titles and messages",
      request: { query: searchQuery },
      responses: answers("Best first", z.array(foundChat)),
    }),
    async (c) => {
      const { text, page } = c.req.valid("query");
      return c.json(await searchChats(contextOf(c), text, page), 200);
    },
  );

  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/new`,
      summary: "Store a chat",
      request: { body: takes(newChatBody) },
      responses: theChat,
    }),
    async (c) => {
      const { chat, variables, folder_id: folderId } = c.req.valid("json");
      return c.json(await createChat(contextOf(c), { chat, variables, folderId }), 200);
    },
  );

  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/import`,
      summary: "Store exported chats",
      request: { body: takes(importBody) },
      responses: answers("Chats", z.array(chatResponse)),
    }),
    async (c) => {
      const body = c.req.valid("json");
      const imported = Array.isArray(body)
        ? body
        : "chats" in body
          ? (body.chats as ImportedChat[])
          : [body as ImportedChat];
      return c.json(await importChats(contextOf(c), imported), 200);
    },
  );

  for (const [path, archived] of [
    [`${base}/archive/all`, true],
    [`${base}/unarchive/all`, false],
  ] as const) {
    router.openapi(
      createRoute({ method: "post", path, summary: "Archive all chats, or bring all back", responses: done }),
      async (c) => {
        await archiveAll(contextOf(c), archived);
        return c.json(true, 200);
      },
    );
  }

  for (const path of [`${base}/all/tags`, `${base}/tags`]) {
    router.openapi(
      createRoute({ method: "get", path, summary: "List the tags of one's chats", responses: theTags }),
      async (c) => c.json(await listTags(contextOf(c)), 200),
    );
  }

  const taggedBody = z.looseObject({ name: z.string(), page: page.optional() });
  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/tags`,
      summary: "List chats with a tag",
      request: { body: takes(taggedBody) },
      responses: summaries,
    }),
    async (c) => {
      const { name, page } = c.req.valid("json");
      const list = await listChats(contextOf(c), {
        which: "open",
        page,
        tag: name,
        includePinned: true,
        includeFolders: true,
      });
      return c.json(list.chats, 200);
    },
  );

  for (const path of [base, `${base}/`]) {
    router.openapi(
      createRoute({ method: "delete", path, summary: "Delete all one's chats", responses: done }),
      async (c) => {
        await deleteAllChats(contextOf(c));
        return c.json(true, 200);
      },
    );
  }

  router.openapi(
    createRoute({ method: "get", path: `${base}/{id}`, summary: "Read a chat", request: one, responses: theChat }),
    async (c) => c.json(await getChat(contextOf(c), c.req.valid("param").id), 200),
  );
  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/{id}`,
      summary: "Lay a chat document over the stored chat",
      request: { ...one, body: takes(saveChatBody) },
      responses: theChat,
    }),
    async (c) => c.json(await saveChat(contextOf(c), c.req.valid("param").id, c.req.valid("json").chat), 200),
  );
  router.openapi(
    createRoute({ method: "delete", path: `${base}/{id}`, summary: "Delete a chat", request: one, responses: done }),
    async (c) => {
      await deleteChat(contextOf(c), c.req.valid("param").id);
      return c.json(true, 200);
    },
  );

  for (const [action, mark] of [
    ["pin", "pinned"],
    ["archive", "archived"],
  ] as const) {
    router.openapi(
      createRoute({
        method: "post",
        path: `${base}/{id}/${action}`,
        summary: "Switch the mark",
        request: one,
        responses: theChat,
      }),
      async (c) => c.json(await toggleMark(contextOf(c), c.req.valid("param").id, mark), 200),
    );
  }
  router.openapi(
    createRoute({
      method: "get",
      path: `${base}/{id}/pinned`,
      summary: "Whether the chat is pinned",
      request: one,
      responses: done,
    }),
    async (c) => c.json((await getChat(contextOf(c), c.req.valid("param").id)).pinned, 200),
  );

  const optionalClone = { content: { "application/json": { schema: cloneBody } } };
  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/{id}/clone`,
      summary: "Copy a chat",
      request: { ...one, body: optionalClone },
      responses: theChat,
    }),
    async (c) => c.json(await cloneChat(contextOf(c), c.req.valid("param").id, c.req.valid("json")?.title), 200),
  );

  router.openapi(
    createRoute({
      method: "get",
      path: `${base}/{id}/tags`,
      summary: "List the chat's tags",
      request: one,
      responses: theTags,
    }),
    async (c) => c.json(await listChatTags(contextOf(c), c.req.valid("param").id), 200),
  );
  router.openapi(
    createRoute({
      method: "post",
      path: `${base}/{id}/tags`,
      summary: "Add a tag",
      request: { ...one, body: takes(tagBody) },
      responses: theTags,
    }),
    async (c) => c.json(await addTag(contextOf(c), c.req.valid("param").id, c.req.valid("json").name), 200),
  );
  router.openapi(
    createRoute({
      method: "delete",
      path: `${base}/{id}/tags`,
      summary: "Remove a tag",
      request: { ...one, body: takes(tagBody) },
      responses: theTags,
    }),
    async (c) => c.json(await removeTags(contextOf(c), c.req.valid("param").id, c.req.valid("json").name), 200),
  );
  router.openapi(
    createRoute({
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
    createRoute({
      method: "post",
      path: `${base}/{id}/messages/{message_id}`,
      summary: "Edit a message",
      request: { ...oneMessage, body: takes(editMessageBody) },
      responses: theChat,
    }),
    async (c) => {
      const { id, message_id: messageId } = c.req.valid("param");
      return c.json(await editMessage(contextOf(c), id, messageId, c.req.valid("json").content), 200);
    },
  );
  router.openapi(
    createRoute({
      method: "delete",
      path: `${base}/{id}/messages/{message_id}`,
      summary: "Delete a message and all below it",
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
