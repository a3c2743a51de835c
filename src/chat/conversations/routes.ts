import * as z from "zod";
import { requirePermission } from "../../access.ts";
import { largeBody } from "../../http/body.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { streamArray } from "../../http/stream-array.ts";
import { chatsPath as base } from "./chat-route-parts.ts";
import { archiveAll, createChat } from "./chats.ts";
import { deleteAllChats } from "./delete-chats.ts";
import { importChats } from "./import-chats.ts";
import { exportChats, listChats } from "./list-chats.ts";
import { oneChatRoutes } from "./one-chat-routes.ts";
import { listRecentPrompts } from "./recent-prompts.ts";
import { requireStoring } from "./require-storing.ts";
import {
  chatResponse,
  chatSummary,
  countedTag,
  foundChat,
  importBody,
  newChatBody,
  taggedBody,
  type ImportedChat,
} from "./schema.ts";
import { searchChats } from "./search-chats.ts";
import { listTags } from "./tags.ts";

const page = z.coerce.number().int().min(1).max(100_000);
const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");

const listQuery = z.object({
  page: page.optional(),
  cursor: z.string().max(1000).optional(),
  include_pinned: flag.optional(),
  include_folders: flag.optional(),
  /** Only chats with this tag, by its name or id. */
  tag: z.string().min(1).max(100).optional(),
});

const theChat = answers("The chat", chatResponse);
const allTags = answers("Tags, each with the number of its chats", z.array(countedTag));
const done = answers("Done", z.boolean());
const summaries = answers(
  "Most recently changed first; `x-next-cursor` is the cursor of the next page",
  z.array(chatSummary),
);

/** Open WebUI's chats API over rows. Literal paths come before those with an id. */
export function conversationRoutes() {
  const router = createRouter({ maxBody: largeBody, mendsTexts: true });

  for (const path of [base, `${base}/`, `${base}/list`]) {
    router.openapi(
      defineRoute({
        method: "get",
        path,
        summary: "List the caller's chats",
        request: { query: listQuery },
        responses: summaries,
      }),
      async (c) => {
        const { include_pinned: includePinned, include_folders: includeFolders, ...where } = c.req.valid("query");
        const list = await listChats(contextOf(c), { which: "open", ...where, includePinned, includeFolders });
        if (list.nextCursor !== null) c.header("x-next-cursor", list.nextCursor);
        return c.json(list.chats, 200);
      },
    );
  }

  for (const which of ["pinned", "archived"] as const) {
    router.openapi(
      defineRoute({
        method: "get",
        path: `${base}/${which}`,
        summary: `List the caller's ${which} chats`,
        request: { query: listQuery },
        responses: summaries,
      }),
      async (c) => {
        const { page, cursor, tag } = c.req.valid("query");
        const list = await listChats(contextOf(c), { which, page, cursor, tag });
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
      defineRoute({
        method: "get",
        path,
        summary: "Export chats with their messages",
        requires: (ctx) => requirePermission(ctx, "chat.export"),
        responses: answers("Chats", z.array(chatResponse)),
      }),
      (c) =>
        // Written as it is read; the type of the answer is the schema's.
        streamArray(exportChats(contextOf(c), which), c.req.header("accept-encoding")) as never,
    );
  }

  router.openapi(
    defineRoute({
      method: "get",
      path: `${base}/recent-prompts`,
      summary: "The questions with which the caller's latest chats began",
      responses: answers("Newest first", z.array(z.object({ content: z.string() }))),
    }),
    async (c) => c.json(await listRecentPrompts(contextOf(c)), 200),
  );

  const searchQuery = z.object({
    text: z.string().max(1000).default(""),
    page: page.default(1),
    /** Only in this folder and in those in it. */
    folder_id: z.string().min(1).max(100).optional(),
    /** Only with this tag, as `tag:name` in the text. */
    tag: z.string().min(1).max(100).optional(),
  });
  router.openapi(
    defineRoute({
      method: "get",
      path: `${base}/search`,
      rate: "searches",
      summary: "Search titles and messages; `tag:name` in the text finds chats with that tag",
      request: { query: searchQuery },
      responses: answers("Best first", z.array(foundChat)),
    }),
    async (c) => {
      const { text, page, folder_id: folderId, tag } = c.req.valid("query");
      return c.json(await searchChats(contextOf(c), text, page, { folderId, tag }), 200);
    },
  );

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/new`,
      summary: "Create a chat",
      requires: requireStoring,
      request: jsonBody(newChatBody),
      responses: theChat,
    }),
    async (c) => {
      const { chat, variables, folder_id: folderId } = c.req.valid("json");
      return c.json(await createChat(contextOf(c), { chat, variables, folderId }), 200);
    },
  );

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/import`,
      summary: "Import exported chats",
      requires: (ctx) => requirePermission(ctx, "chat.import"),
      request: jsonBody(importBody),
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
      defineRoute({ method: "post", path, summary: "Archive or unarchive all chats", responses: done }),
      async (c) => {
        await archiveAll(contextOf(c), archived);
        return c.json(true, 200);
      },
    );
  }

  for (const path of [`${base}/all/tags`, `${base}/tags`]) {
    router.openapi(
      defineRoute({ method: "get", path, summary: "List the tags of the caller's chats", responses: allTags }),
      async (c) => c.json(await listTags(contextOf(c)), 200),
    );
  }

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/tags`,
      summary: "List chats with a tag",
      request: jsonBody(taggedBody),
      responses: summaries,
    }),
    async (c) => {
      const { name, ...part } = c.req.valid("json");
      const list = await listChats(contextOf(c), {
        which: "open",
        ...part,
        tag: name,
        includePinned: true,
        includeFolders: true,
      });
      return c.json(list.chats, 200);
    },
  );

  for (const path of [base, `${base}/`]) {
    router.openapi(
      defineRoute({
        method: "delete",
        path,
        requires: (ctx) => requirePermission(ctx, "chat.delete"),
        summary: "Delete all of the caller's chats",
        responses: done,
      }),
      async (c) => {
        await deleteAllChats(contextOf(c));
        return c.json(true, 200);
      },
    );
  }

  router.include(oneChatRoutes());
  return router;
}
