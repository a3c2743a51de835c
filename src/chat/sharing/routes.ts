import * as z from "zod";
import { requirePermission } from "../../access.ts";
import { largeBody } from "../../http/body.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { storedGrant } from "../../people/grants/schema.ts";
import { chatsPath as base } from "../conversations/chat-route-parts.ts";
import { chatResponse } from "../conversations/schema.ts";
import { shareAccess, shareBody, sharedChat, sharedSummary, shareView } from "./schema.ts";
import { changeReaders, getShare, shareChat, unshareChat } from "./share-chat.ts";
import { copySharedChat, getSharedChat, listShares } from "./shared-chats.ts";

const one = { params: z.object({ id: z.string().max(100) }) };
const shared = { params: z.object({ share_id: z.string().max(100) }) };
const none = { 404: { description: "No such chat, not yours, or not shared" } };

const share = defineRoute({
  method: "post",
  path: `${base}/{id}/share`,
  requires: (ctx) => requirePermission(ctx, "chat.share"),
  summary: "Share the current state of a chat, or update what its link shows",
  request: { ...one, body: { content: { "application/json": { schema: shareBody } } } },
  responses: { ...answers("The chat; its link is /s/{share_id}", chatResponse), ...none },
});
const state = defineRoute({
  method: "get",
  path: `${base}/{id}/share`,
  summary: "Get the link of a chat",
  request: one,
  responses: { ...answers("The link", shareView), ...none },
});
const withdraw = defineRoute({
  method: "delete",
  path: `${base}/{id}/share`,
  summary: "Delete the link of a chat",
  request: one,
  responses: { ...answers("Done", z.literal(true)), ...none },
});
const list = defineRoute({
  method: "get",
  path: `${base}/shared`,
  summary: "Chats that the caller shares, latest snapshot first",
  request: { query: z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) }) },
  responses: answers("60 per page", z.array(sharedSummary)),
});
const readers = defineRoute({
  method: "get",
  path: `${base}/shared/{id}/access`,
  summary: "Who may read a shared chat; the id is that of the chat",
  request: one,
  responses: { ...answers("Grants", z.array(storedGrant)), ...none },
});
const access = defineRoute({
  method: "post",
  path: `${base}/shared/{id}/access/update`,
  summary: "Set who may read a shared chat; the id is that of the chat",
  request: { ...one, ...jsonBody(shareAccess) },
  responses: { ...answers("The chat", chatResponse), ...none },
});
const read = defineRoute({
  method: "get",
  path: `${base}/share/{share_id}`,
  summary: "Read a shared chat",
  request: shared,
  responses: {
    ...answers("The chat as it was shared", sharedChat),
    404: { description: "No such link, or no access to it" },
  },
});
const copy = defineRoute({
  method: "post",
  path: `${base}/{share_id}/clone/shared`,
  requires: (ctx) => requirePermission(ctx, "chat.import"),
  summary: "Copy a shared chat into the caller's chats",
  request: shared,
  responses: { ...answers("The new chat", chatResponse), 404: { description: "No such link, or no access to it" } },
});

/** Chats shared through a link, with Open WebUI's paths and formats. */
export function sharingRoutes() {
  const router = createRouter({ maxBody: largeBody, mendsTexts: true });
  router.openapi(share, async (c) =>
    c.json(await shareChat(contextOf(c), c.req.valid("param").id, c.req.valid("json")?.access_grants), 200),
  );
  router.openapi(state, async (c) => c.json(await getShare(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(withdraw, async (c) => {
    await unshareChat(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(list, async (c) => c.json(await listShares(contextOf(c), c.req.valid("query").page), 200));
  router.openapi(readers, async (c) =>
    c.json((await getShare(contextOf(c), c.req.valid("param").id)).access_grants, 200),
  );
  router.openapi(access, async (c) => {
    const { access_grants: given } = c.req.valid("json");
    return c.json(await changeReaders(contextOf(c), c.req.valid("param").id, given), 200);
  });
  router.openapi(read, async (c) => c.json(await getSharedChat(contextOf(c), c.req.valid("param").share_id), 200));
  router.openapi(copy, async (c) => c.json(await copySharedChat(contextOf(c), c.req.valid("param").share_id), 200));
  return router;
}
