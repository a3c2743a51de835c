import * as z from "zod";
import { requireAdmin, requireManager } from "../../access.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { featureSwitches } from "../permission-schema.ts";
import { idParam } from "../schema.ts";
import { listQuery, userList } from "../users/schema.ts";
import { changeOrganization } from "./change-organization.ts";
import { listOrganizationMembers, movePeople } from "./organization-members.ts";
import { createOrganization, deleteOrganization, getOrganization, listOrganizations } from "./organizations.ts";
import { movedPeople, movedResult, organization, organizationFields, organizationList } from "./schema.ts";

const base = "/api/v1/organizations";

const fields = organizationFields.extend({ features: featureSwitches });
const newOrganization = fields.extend({
  active: fields.shape.active.default(true),
  model_ids: fields.shape.model_ids.default(null),
  default_models: fields.shape.default_models.default(null),
  features: fields.shape.features.default({}),
  max_storage: fields.shape.max_storage.default(null),
  retention: fields.shape.retention.default({}),
  requires_second_factor: fields.shape.requires_second_factor.default(false),
});
const change = fields.partial().refine((value) => Object.keys(value).length > 0, "At least one field is required");

const list = defineRoute({
  method: "get",
  path: base,
  summary: "All organizations (system administrators), or the caller's own",
  responses: answers("The organizations, default first", organizationList),
});
const create = defineRoute({
  method: "post",
  path: base,
  requires: requireAdmin,
  summary: "Create an organization (system administrators)",
  request: jsonBody(newOrganization),
  responses: answers("The organization", organization),
});
const get = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "Get an organization; people who are not system administrators can get their own",
  request: { params: idParam },
  responses: answers("The organization", organization),
});
const update = defineRoute({
  method: "patch",
  path: `${base}/{id}`,
  requires: requireAdmin,
  summary: "Update an organization; only the fields in the body change (system administrators)",
  request: { params: idParam, ...jsonBody(change) },
  responses: answers("The updated organization", organization),
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  requires: requireAdmin,
  summary: "Delete an organization without members (system administrators)",
  request: { params: idParam },
  responses: answers("Deleted, with its groups, connections and landing rules", z.literal(true)),
});
const members = defineRoute({
  method: "get",
  path: `${base}/{id}/members`,
  requires: requireManager,
  summary: "Search and sort the people of an organization (its administrators)",
  request: { params: idParam, query: listQuery },
  responses: answers("A page", userList),
});
const move = defineRoute({
  method: "post",
  path: `${base}/{id}/members`,
  requires: requireAdmin,
  summary: "Move people into this organization: all of them or, if one fails, none (system administrators)",
  request: { params: idParam, ...jsonBody(movedPeople) },
  responses: answers("The updated organization", movedResult),
});

export function organizationRoutes() {
  const router = createRouter();
  for (const path of [base, `${base}/`] as const) {
    router.openapi({ ...list, path }, async (c) => c.json(await listOrganizations(contextOf(c)), 200));
    router.openapi({ ...create, path }, async (c) =>
      c.json(await createOrganization(contextOf(c), c.req.valid("json")), 200),
    );
  }
  router.openapi(get, async (c) => c.json(await getOrganization(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(update, async (c) =>
    c.json(await changeOrganization(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteOrganization(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(members, async (c) =>
    c.json(await listOrganizationMembers(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
  );
  router.openapi(move, async (c) =>
    c.json(await movePeople(contextOf(c), c.req.valid("param").id, c.req.valid("json").user_ids), 200),
  );
  return router;
}
