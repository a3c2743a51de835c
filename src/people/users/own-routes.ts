import * as z from "zod";
import { requireAdmin, requireManager, requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { getDefaultPermissions, getFactoryPermissions, setDefaultPermissions } from "../default-permissions.ts";
import { partialPermissions } from "../permission-schema.ts";
import { permissionTree } from "../schema.ts";
import { getOwnDocument, updateOwnDocument } from "./own-documents.ts";
import { getOwnGroups } from "./own-groups.ts";
import { getOwnStatus, requireStatus, setOwnStatus } from "./own-status.ts";
import { document, groupName, ownStatus, settingsDocument, statusChange, type Document } from "./schema.ts";

const groups = defineRoute({
  method: "get",
  path: "/api/v1/users/groups",
  summary: "The caller's groups",
  responses: answers("The groups", z.array(groupName)),
});
const permissions = defineRoute({
  method: "get",
  path: "/api/v1/users/permissions",
  summary: "The caller's permissions",
  responses: answers("The permissions", permissionTree),
});
const defaults = defineRoute({
  method: "get",
  path: "/api/v1/users/default/permissions",
  requires: requireManager,
  summary: "The default permissions, which apply to everyone (administrators)",
  responses: answers("The permissions", permissionTree),
});
const setDefaults = defineRoute({
  method: "post",
  path: "/api/v1/users/default/permissions",
  requires: requireAdmin,
  summary: "Replace the default permissions (administrators)",
  request: jsonBody(partialPermissions),
  responses: answers("The updated permissions", permissionTree),
});
const factory = defineRoute({
  method: "get",
  path: "/api/v1/users/default/permissions/defaults",
  requires: requireAdmin,
  summary: "The built-in default permissions (administrators)",
  responses: answers("The permissions", permissionTree),
});

const status = defineRoute({
  method: "get",
  path: "/api/v1/users/user/status",
  requires: requireStatus,
  summary: "The caller's status",
  responses: answers("The status", ownStatus),
});
const updateStatus = defineRoute({
  method: "post",
  path: "/api/v1/users/user/status/update",
  requires: requireStatus,
  mendsTexts: true,
  summary: "Change the caller's status, which people of the same organization see",
  request: jsonBody(statusChange),
  responses: answers("The status", ownStatus),
});

/** A document that clients keep about the caller. */
interface OwnDocument {
  schema: typeof document | typeof settingsDocument;
  get(ctx: Context): Promise<Document>;
  update(ctx: Context, change: Document): Promise<Document>;
}

const info: OwnDocument = {
  schema: document,
  get: (ctx) => getOwnDocument(ctx, "info", {}),
  update: (ctx, change) => updateOwnDocument(ctx, "info", change),
};

/**
 * Clients' documents about their own person, and the person's permissions.
 * @param settings the caller's settings, which the webhooks slice stores because they contain the webhook's address
 */
export function ownUserRoutes(settings: Omit<OwnDocument, "schema">) {
  const router = createRouter();
  router.openapi(groups, async (c) => c.json(await getOwnGroups(contextOf(c)), 200));
  router.openapi(permissions, (c) => c.json(requireUser(contextOf(c)).permissions, 200));
  router.openapi(defaults, (c) => c.json(getDefaultPermissions(contextOf(c)), 200));
  router.openapi(setDefaults, async (c) => c.json(await setDefaultPermissions(contextOf(c), c.req.valid("json")), 200));
  router.openapi(factory, (c) => c.json(getFactoryPermissions(contextOf(c)), 200));

  router.openapi(status, async (c) => c.json(await getOwnStatus(contextOf(c)), 200));
  router.openapi(updateStatus, async (c) => c.json(await setOwnStatus(contextOf(c), c.req.valid("json")), 200));

  for (const [which, verbs] of Object.entries({ settings: { ...settings, schema: settingsDocument }, info })) {
    const get = defineRoute({
      method: "get",
      path: `/api/v1/users/user/${which}`,
      summary: `The caller's ${which}`,
      responses: answers("The document", document),
    });
    const update = defineRoute({
      method: "post",
      path: `/api/v1/users/user/${which}/update`,
      mendsTexts: true,
      summary: `Update the caller's ${which}: replaces the keys in the body`,
      request: jsonBody(verbs.schema),
      responses: answers("The updated document", document),
    });
    router.openapi(get, async (c) => c.json(await verbs.get(contextOf(c)), 200));
    router.openapi(update, async (c) => c.json(await verbs.update(contextOf(c), c.req.valid("json")), 200));
  }
  return router;
}
