import { contextOf, createRouter } from "../../http/routes.ts";
import { scimList, scimUser } from "../schema.ts";
import {
  addScimRoute,
  answer,
  body,
  gone,
  idOf,
  idParams as params,
  listQuery,
  projectionOf,
  readBody,
  readSearch,
  say,
  sayNothing,
  scimRoute,
  shownQuery,
} from "../scim-route.ts";
import { createUser } from "./create-user.ts";
import { getUser, listUsers } from "./read-users.ts";
import { deactivateUser, patchUser, replaceUser } from "./change-scim-user.ts";

const page = { 200: answer("A page of users", scimList) };
const now = { 200: answer("The updated user", scimUser) };
const change = { params, query: shownQuery, body };

const list = scimRoute("get", "/Users", "Search users", { query: listQuery }, page);
const search = scimRoute("post", "/Users/.search", "Search users, with the query in the body", { body }, page);
const create = scimRoute(
  "post",
  "/Users",
  "Create a user",
  { query: shownQuery, body },
  {
    201: answer("The user", scimUser),
  },
);
const get = scimRoute("get", "/Users/{id}", "Get a user", { params, query: shownQuery }, now);
const replace = scimRoute("put", "/Users/{id}", "Replace a user", change, now);
const patch = scimRoute("patch", "/Users/{id}", "Update a user", change, now);
const deactivate = scimRoute(
  "delete",
  "/Users/{id}",
  "Switch a user's account off; its data is kept",
  { params },
  gone,
);

export function userRoutes() {
  const router = createRouter();
  addScimRoute(router, list, async (c) => say(200, await listUsers(contextOf(c), c.req.query())));
  addScimRoute(router, search, async (c) => say(200, await listUsers(contextOf(c), await readSearch(c))));
  addScimRoute(router, create, async (c) => {
    const { resource, location } = await createUser(contextOf(c), await readBody(c), projectionOf(c));
    return say(201, resource, { location });
  });
  addScimRoute(router, get, async (c) => say(200, await getUser(contextOf(c), idOf(c), projectionOf(c))));
  addScimRoute(router, replace, async (c) =>
    say(200, await replaceUser(contextOf(c), idOf(c), await readBody(c), projectionOf(c))),
  );
  addScimRoute(router, patch, async (c) =>
    say(200, await patchUser(contextOf(c), idOf(c), await readBody(c), projectionOf(c))),
  );
  addScimRoute(router, deactivate, async (c) => {
    await deactivateUser(contextOf(c), idOf(c));
    return sayNothing();
  });
  return router;
}
