import * as z from "zod";
import { requireManager } from "../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { partialPermissions } from "../permission-schema.ts";
import { idParam } from "../schema.ts";
import { deleteGroup, updateGroup } from "./change-group.ts";
import { addMembers, listMembers, removeMembers } from "./group-members.ts";
import { createGroup, getGroup, getGroupInfo, listGroups } from "./groups.ts";
import { exportedGroup, groupFields, groupInfo, groupMember, groupObject, groupQuery, memberIds } from "./schema.ts";

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});
const body = <T extends z.ZodType>(schema: T) => ({ required: true, content: { "application/json": { schema } } });
const groupInput = groupFields.extend({ permissions: partialPermissions.optional() });
const newGroup = groupInput.extend({ organization_id: z.string().min(1).max(200).optional() });

const list = defineRoute({
  method: "get",
  path: "/api/v1/groups/",
  summary: "The caller's groups (administrators: all groups they manage), or the groups to share with",
  request: { query: groupQuery },
  responses: json(z.array(groupObject), "The groups"),
});
const create = defineRoute({
  method: "post",
  path: "/api/v1/groups/create",
  requires: requireManager,
  summary: "Create a group (administrators)",
  request: { body: body(newGroup) },
  responses: json(groupObject, "The group"),
});
const get = defineRoute({
  method: "get",
  path: "/api/v1/groups/id/{id}",
  requires: requireManager,
  summary: "Get a group (administrators)",
  request: { params: idParam },
  responses: json(exportedGroup, "The group"),
});
const info = defineRoute({
  method: "get",
  path: "/api/v1/groups/id/{id}/info",
  summary: "The public profile of a group",
  request: { params: idParam },
  responses: json(groupInfo, "The group"),
});
const exportRoute = defineRoute({
  method: "get",
  path: "/api/v1/groups/id/{id}/export",
  requires: requireManager,
  summary: "Get a group with the ids of its members (administrators)",
  request: { params: idParam },
  responses: json(exportedGroup, "The group"),
});
const members = defineRoute({
  method: "post",
  path: "/api/v1/groups/id/{id}/users",
  requires: requireManager,
  summary: "The members of a group (administrators)",
  request: { params: idParam },
  responses: json(z.array(groupMember), "The members"),
});
const update = defineRoute({
  method: "post",
  path: "/api/v1/groups/id/{id}/update",
  requires: requireManager,
  summary: "Update a group (administrators)",
  request: { params: idParam, body: body(groupInput) },
  responses: json(groupObject, "The updated group"),
});
const add = defineRoute({
  method: "post",
  path: "/api/v1/groups/id/{id}/users/add",
  requires: requireManager,
  summary: "Add people to a group (administrators)",
  request: { params: idParam, body: body(memberIds) },
  responses: json(exportedGroup, "The updated group"),
});
const take = defineRoute({
  method: "post",
  path: "/api/v1/groups/id/{id}/users/remove",
  requires: requireManager,
  summary: "Remove people from a group (administrators)",
  request: { params: idParam, body: body(memberIds) },
  responses: json(exportedGroup, "The updated group"),
});
const remove = defineRoute({
  method: "delete",
  path: "/api/v1/groups/id/{id}/delete",
  requires: requireManager,
  summary: "Delete a group (administrators)",
  request: { params: idParam },
  responses: json(z.literal(true), "Deleted"),
});

export function groupRoutes() {
  const router = createRouter();
  for (const path of ["/api/v1/groups/", "/api/v1/groups"] as const) {
    router.openapi({ ...list, path }, async (c) =>
      c.json(await listGroups(contextOf(c), c.req.valid("query").share), 200),
    );
  }
  router.openapi(create, async (c) => c.json(await createGroup(contextOf(c), c.req.valid("json")), 200));
  router.openapi(get, async (c) => c.json(await getGroup(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(exportRoute, async (c) => c.json(await getGroup(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(info, async (c) => c.json(await getGroupInfo(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(members, async (c) => c.json(await listMembers(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(update, async (c) =>
    c.json(await updateGroup(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(add, async (c) =>
    c.json(await addMembers(contextOf(c), c.req.valid("param").id, c.req.valid("json").user_ids), 200),
  );
  router.openapi(take, async (c) =>
    c.json(await removeMembers(contextOf(c), c.req.valid("param").id, c.req.valid("json").user_ids), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteGroup(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
