import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { contextOf, createRouter } from "../../http/routes.ts";
import { getDefaultPermissions, getFactoryPermissions, setDefaultPermissions } from "../default-permissions.ts";
import { partialPermissions } from "../permission-schema.ts";
import { permissionTree } from "../schema.ts";
import { getOwnDocument, updateOwnDocument } from "./own-documents.ts";
import { getOwnGroups } from "./own-groups.ts";
import { document, groupName, settingsDocument, type Document } from "./schema.ts";

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});
const body = <T extends z.ZodType>(schema: T) => ({
  body: { required: true, content: { "application/json": { schema } } },
});

const groups = createRoute({
  method: "get",
  path: "/api/v1/users/groups",
  summary: "The caller's groups",
  responses: json(z.array(groupName), "The groups"),
});
const permissions = createRoute({
  method: "get",
  path: "/api/v1/users/permissions",
  summary: "The caller's permissions",
  responses: json(permissionTree, "The permissions"),
});
const defaults = createRoute({
  method: "get",
  path: "/api/v1/users/default/permissions",
  summary: "The default permissions, which apply to everyone (administrators)",
  responses: json(permissionTree, "The permissions"),
});
const setDefaults = createRoute({
  method: "post",
  path: "/api/v1/users/default/permissions",
  summary: "Replace the default permissions (administrators)",
  request: body(partialPermissions),
  responses: json(permissionTree, "The updated permissions"),
});
const factory = createRoute({
  method: "get",
  path: "/api/v1/users/default/permissions/defaults",
  summary: "The built-in default permissions (administrators)",
  responses: json(permissionTree, "The permissions"),
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
 * What clients keep about their own person, and what that person may do.
 * @param settings the caller's settings, which the webhooks slice keeps: they hold the address of the caller's webhook
 */
export function ownUserRoutes(settings: Omit<OwnDocument, "schema">) {
  const router = createRouter();
  router.openapi(groups, async (c) => c.json(await getOwnGroups(contextOf(c)), 200));
  router.openapi(permissions, (c) => c.json(requireUser(contextOf(c)).permissions, 200));
  router.openapi(defaults, (c) => c.json(getDefaultPermissions(contextOf(c)), 200));
  router.openapi(setDefaults, async (c) => c.json(await setDefaultPermissions(contextOf(c), c.req.valid("json")), 200));
  router.openapi(factory, (c) => c.json(getFactoryPermissions(contextOf(c)), 200));

  for (const [which, verbs] of Object.entries({ settings: { ...settings, schema: settingsDocument }, info })) {
    const get = createRoute({
      method: "get",
      path: `/api/v1/users/user/${which}`,
      summary: `The caller's ${which}`,
      responses: json(document, "The document"),
    });
    const update = createRoute({
      method: "post",
      path: `/api/v1/users/user/${which}/update`,
      summary: `Update the caller's ${which}: replaces the keys in the body`,
      request: body(verbs.schema),
      responses: json(document, "The updated document"),
    });
    router.openapi(get, async (c) => c.json(await verbs.get(contextOf(c)), 200));
    router.openapi(update, async (c) => c.json(await verbs.update(contextOf(c), c.req.valid("json")), 200));
  }
  return router;
}
