import { contextOf, createRouter } from "../../http/routes.ts";
import { project, type Projection } from "../projection.ts";
import { scimGroup, scimList } from "../schema.ts";
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
import { createGroup, deleteGroup, getGroup, listGroups, patchGroup, replaceGroup } from "./scim-groups.ts";
import type { WrittenGroup } from "./write-group.ts";

/** Most members in the answer to a PATCH that does not say what it wants to see; above that it is 204. */
const maxMembers = 100;

const page = { 200: answer("A page of groups", scimList) };
const now = { 200: answer("The updated group", scimGroup) };
const change = { params, query: shownQuery, body };

const list = scimRoute("get", "/Groups", "Search groups", { query: listQuery }, page);
const search = scimRoute("post", "/Groups/.search", "Search groups, with the query in the body", { body }, page);
const create = scimRoute(
  "post",
  "/Groups",
  "Create a group",
  { query: shownQuery, body },
  {
    201: answer("The group", scimGroup),
  },
);
const get = scimRoute("get", "/Groups/{id}", "Get a group", { params, query: shownQuery }, now);
const replace = scimRoute("put", "/Groups/{id}", "Replace a group", change, now);
const patch = scimRoute("patch", "/Groups/{id}", "Update a group", change, {
  ...now,
  204: { description: `Done, without a body: for groups with more than ${maxMembers} members, unless the query selects attributes` },
});
const remove = scimRoute("delete", "/Groups/{id}", "Delete a group", { params }, gone);

export function groupRoutes() {
  const router = createRouter();
  addScimRoute(router, list, async (c) => say(200, await listGroups(contextOf(c), c.req.query())));
  addScimRoute(router, search, async (c) => say(200, await listGroups(contextOf(c), await readSearch(c))));
  addScimRoute(router, create, async (c) => {
    const projection = projectionOf(c);
    const written = await createGroup(contextOf(c), await readBody(c), projection);
    return sayGroup(201, written, projection, { location: written.resource.meta.location });
  });
  addScimRoute(router, get, async (c) => say(200, await getGroup(contextOf(c), idOf(c), projectionOf(c))));
  addScimRoute(router, replace, async (c) => {
    const projection = projectionOf(c);
    return sayGroup(200, await replaceGroup(contextOf(c), idOf(c), await readBody(c), projection), projection);
  });
  addScimRoute(router, patch, async (c) => {
    const projection = projectionOf(c);
    const isAsked = projection.only !== undefined || projection.without.size > 0;
    const wanted = isAsked ? { projection } : { projection, maxMembers };
    const written = await patchGroup(contextOf(c), idOf(c), await readBody(c), wanted);
    if (isAsked || written.memberCount <= maxMembers) return sayGroup(200, written, projection);
    return sayNothing(unknownMembers(written));
  });
  addScimRoute(router, remove, async (c) => {
    await deleteGroup(contextOf(c), idOf(c));
    return sayNothing();
  });
  return router;
}

function sayGroup(
  status: number,
  written: WrittenGroup,
  projection: Projection,
  headers: Record<string, string> = {},
): Response {
  return say(status, project(written.resource, projection), { ...headers, ...unknownMembers(written) });
}

/** People who could not be added are no reason to refuse the others; who looks finds them here, and in the audit. */
function unknownMembers({ unknown }: WrittenGroup): Record<string, string> {
  if (unknown.length === 0) return {};
  const named = unknown.slice(0, 20).map((id) => encodeURIComponent(id.slice(0, 100).toWellFormed()));
  return { "x-scim-unknown-members": named.join(", ") };
}
