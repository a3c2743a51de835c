import * as z from "zod";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { streamArray } from "../../http/stream-array.ts";
import { chatsPath } from "../conversations/chat-route-parts.ts";
import { chatResponse, chatSummary } from "../conversations/schema.ts";
import { deleteFolder } from "./delete-folder.ts";
import { listFolderChats, moveChat, readFolderChats } from "./folder-chats.ts";
import {
  changeFolder,
  createFolder,
  expandFolder,
  getFolder,
  moveFolder,
  requireFolders,
  shareFolder,
} from "./folders.ts";
import { listAllFolders, listFolders, listSharedFolders } from "./list-folders.ts";
import {
  folderAccess,
  folderChange,
  folderDeletion,
  folderExpanded,
  folderOfChat,
  folderParent,
  folderQuery,
  folderView,
  listedFolder,
  newFolder,
  sharedFolder,
} from "./schema.ts";

const base = "/api/v1/folders";
const params = z.object({ id: z.string().min(1).max(100) });
const folderParams = z.object({ folder_id: z.string().min(1).max(100) });
const none = {
  403: { description: "The folder is shared with the caller, but not for this" },
  404: { description: "No such folder, or no access to it" },
};
const refused = { 400: { description: "The name is taken there, or a folder cannot be there" } };
const theFolder = { ...answers("The folder", folderView), ...none };
const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");
const chatQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).optional(),
  cursor: z.string().max(1000).optional(),
  include_pinned: flag.optional(),
});

const list = (path: string) =>
  defineRoute({
    method: "get",
    path,
    summary: "List the caller's folders",
    request: { query: folderQuery },
    responses: answers("By name", z.array(listedFolder)),
  });
const shared = defineRoute({
  method: "get",
  path: `${base}/shared`,
  summary: "List the folders that are shared with the caller or by the caller",
  responses: answers("By name, with all folders in them", z.array(sharedFolder)),
});
const create = (path: string) =>
  defineRoute({
    method: "post",
    path,
    summary: "Create a folder",
    request: jsonBody(newFolder),
    responses: { ...theFolder, ...refused },
  });
const read = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "Get a folder",
  request: { params },
  responses: theFolder,
});
const update = defineRoute({
  method: "post",
  path: `${base}/{id}/update`,
  summary: "Update the name, instructions, files or models of a folder; only the fields in the body change",
  request: { params, ...jsonBody(folderChange) },
  responses: { ...theFolder, ...refused },
});
const move = defineRoute({
  method: "post",
  path: `${base}/{id}/update/parent`,
  summary: "Move a folder into another one, or to the top",
  request: { params, ...jsonBody(folderParent) },
  responses: { ...theFolder, ...refused },
});
const expand = defineRoute({
  method: "post",
  path: `${base}/{id}/update/expanded`,
  summary: "Note whether the caller's folder is open in the list",
  request: { params, ...jsonBody(folderExpanded) },
  responses: theFolder,
});
const access = defineRoute({
  method: "post",
  path: `${base}/{id}/access/update`,
  summary: "Set who can read and change a folder",
  request: { params, ...jsonBody(folderAccess) },
  responses: theFolder,
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a folder with the folders in it; `delete_contents` says whether the caller's chats go too",
  request: { params, query: folderDeletion },
  responses: { ...answers("Done", z.literal(true)), ...none },
});
const moveOne = defineRoute({
  method: "post",
  path: `${chatsPath}/{id}/folder`,
  summary: "Move a chat into a folder, or out of all folders",
  request: { params, ...jsonBody(folderOfChat) },
  responses: { ...answers("The chat", chatResponse), 404: { description: "No such chat or folder" } },
});
const chatsIn = defineRoute({
  method: "get",
  path: `${chatsPath}/folder/{folder_id}`,
  summary: "The caller's chats with messages in a folder and in the folders in it",
  request: { params: folderParams },
  responses: { ...answers("Most recently changed first", z.array(chatResponse)), 404: none[404] },
});
const listIn = defineRoute({
  method: "get",
  path: `${chatsPath}/folder/{folder_id}/list`,
  summary: "List the caller's chats in a folder",
  request: { params: folderParams, query: chatQuery },
  responses: {
    ...answers(
      "60 per page, most recently changed first; `x-next-cursor` is the cursor of the next page",
      z.array(chatSummary),
    ),
    404: none[404],
  },
});

/** Folders of chats, with Open WebUI's paths and formats. */
export function folderRoutes() {
  const router = createRouter({ requires: requireFolders });
  for (const path of [base, `${base}/`]) {
    router.openapi(list(path), async (c) => {
      const isAll = c.req.valid("query").include_shared;
      return c.json(await (isAll ? listAllFolders(contextOf(c)) : listFolders(contextOf(c))), 200);
    });
    router.openapi(create(path), async (c) => c.json(await createFolder(contextOf(c), c.req.valid("json")), 200));
  }
  router.openapi(shared, async (c) => c.json(await listSharedFolders(contextOf(c)), 200));
  router.openapi(read, async (c) => c.json(await getFolder(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(update, async (c) =>
    c.json(await changeFolder(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(move, async (c) =>
    c.json(await moveFolder(contextOf(c), c.req.valid("param").id, c.req.valid("json").parent_id ?? null), 200),
  );
  router.openapi(expand, async (c) =>
    c.json(await expandFolder(contextOf(c), c.req.valid("param").id, c.req.valid("json").is_expanded), 200),
  );
  router.openapi(access, async (c) =>
    c.json(await shareFolder(contextOf(c), c.req.valid("param").id, c.req.valid("json").access_grants), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteFolder(contextOf(c), c.req.valid("param").id, c.req.valid("query").delete_contents);
    return c.json(true as const, 200);
  });
  router.openapi(moveOne, async (c) =>
    c.json(await moveChat(contextOf(c), c.req.valid("param").id, c.req.valid("json").folder_id ?? null), 200),
  );
  router.openapi(
    chatsIn,
    // Written as it is read; the type of the answer is the schema's.
    async (c) =>
      streamArray(
        await readFolderChats(contextOf(c), c.req.valid("param").folder_id),
        c.req.header("accept-encoding"),
      ) as never,
  );
  router.openapi(listIn, async (c) => {
    const { include_pinned: includePinned, ...query } = c.req.valid("query");
    const found = await listFolderChats(contextOf(c), c.req.valid("param").folder_id, { ...query, includePinned });
    if (found.nextCursor !== null) c.header("x-next-cursor", found.nextCursor);
    return c.json(found.chats, 200);
  });
  return router;
}
