import * as z from "zod";
import { requireAdmin, requireManager } from "../../access.ts";
import { inBase } from "../../http/base-path.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../schema.ts";
import { deleteUser } from "./delete-user.ts";
import { getPresence, getUser, getUserInfo } from "./get-user.ts";
import { listAllUsers, listUsers, searchUsers } from "./list-users.ts";
import { getGroupsOf } from "./own-groups.ts";
import { getProfileImage } from "./profile-image.ts";
import {
  groupName,
  listedUser,
  listQuery,
  presence,
  searchQuery,
  shortUserList,
  userChange,
  userDetails,
  userInfo,
  userInfoList,
  userList,
} from "./schema.ts";
import { updateUser } from "./update-user.ts";

const list = defineRoute({
  method: "get",
  path: "/api/v1/users/",
  requires: requireManager,
  summary: "Search and sort people, by page or cursor (administrators)",
  request: { query: listQuery },
  responses: answers("A page", userList),
});
const listAll = defineRoute({
  method: "get",
  path: "/api/v1/users/all",
  requires: requireManager,
  summary: "All people, in short form (administrators)",
  responses: answers("Everybody", shortUserList),
});
const search = defineRoute({
  method: "get",
  path: "/api/v1/users/search",
  rate: "searches",
  summary: "Search people to share or talk with, by name or address",
  request: { query: searchQuery },
  responses: answers("The people found", userInfoList),
});
const get = defineRoute({
  method: "get",
  path: "/api/v1/users/{id}",
  requires: requireManager,
  summary: "Get an account (administrators)",
  request: { params: idParam },
  responses: answers("The account", userDetails),
});
const info = defineRoute({
  method: "get",
  path: "/api/v1/users/{id}/info",
  summary: "The public profile of a person",
  request: { params: idParam },
  responses: answers("The person", userInfo),
});
const active = defineRoute({
  method: "get",
  path: "/api/v1/users/{id}/active",
  summary: "Whether a person was active within the last three minutes",
  request: { params: idParam },
  responses: answers("Whether", presence),
});
const groupsRoute = defineRoute({
  method: "get",
  path: "/api/v1/users/{id}/groups",
  requires: requireManager,
  summary: "The groups of a person (administrators)",
  request: { params: idParam },
  responses: answers("The groups", z.array(groupName)),
});
const image = defineRoute({
  method: "get",
  path: "/api/v1/users/{id}/profile/image",
  summary: "A person's picture: the image, a redirect to it, or initials",
  request: { params: idParam },
  responses: {
    200: { description: "The picture", content: { "image/*": { schema: z.string() } } },
    302: { description: "Redirect to the picture" },
  },
});
const update = defineRoute({
  method: "post",
  path: "/api/v1/users/{id}/update",
  requires: requireManager,
  summary: "Update an account; only the fields in the body change (administrators)",
  request: { params: idParam, ...jsonBody(userChange) },
  responses: answers("The updated account", listedUser),
});
const remove = defineRoute({
  method: "delete",
  path: "/api/v1/users/{id}",
  requires: requireAdmin,
  summary: "Delete an account with everything that belongs only to this person (administrators)",
  request: { params: idParam },
  responses: answers("Deleted", z.literal(true)),
});

export function userRoutes() {
  const router = createRouter();
  for (const path of ["/api/v1/users/", "/api/v1/users"] as const) {
    router.openapi({ ...list, path }, async (c) => c.json(await listUsers(contextOf(c), c.req.valid("query")), 200));
  }
  router.openapi(listAll, async (c) => c.json(await listAllUsers(contextOf(c)), 200));
  router.openapi(search, async (c) => c.json(await searchUsers(contextOf(c), c.req.valid("query")), 200));
  router.openapi(get, async (c) => c.json(await getUser(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(info, async (c) => c.json(await getUserInfo(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(active, async (c) =>
    c.json({ active: await getPresence(contextOf(c), c.req.valid("param").id) }, 200),
  );
  router.openapi(groupsRoute, async (c) => c.json(await getGroupsOf(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(update, async (c) =>
    c.json(await updateUser(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteUser(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(image, async (c) => {
    const picture = await getProfileImage(contextOf(c), c.req.valid("param").id);
    c.header("cache-control", "private, max-age=300");
    if ("location" in picture) return c.redirect(inBase(contextOf(c), picture.location), 302);
    // Whatever the bytes are, they are shown as a picture and never run as a page of this origin.
    c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    c.header("content-type", picture.type);
    return c.body(picture.bytes, 200);
  });
  return router;
}
