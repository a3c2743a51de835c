import * as z from "zod";
import { requireAdmin, requirePermission } from "../../access.ts";
import { inBase } from "../../http/base-path.ts";
import { largeBody } from "../../http/body.ts";
import { answers, flagBody, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { isMessagesClient } from "../catalog/messages-list.ts";
import { renderModelsError } from "../catalog/render-models-error.ts";
import { listBaseModels, listModelTags, listStoredModels } from "./list-stored-models.ts";
import { readPicture } from "./read-picture.ts";
import {
  accessChange,
  exportQuery,
  importedModels,
  modelChange,
  modelIdBody,
  modelIdQuery,
  modelPage,
  modelPageQuery,
  newModel,
  storedModelView,
} from "./schema.ts";
import {
  changeModel,
  changeModelAccess,
  createModel,
  deleteAllModels,
  deleteModel,
  getStoredModel,
  toggleModel,
} from "./stored-models.ts";
import { exportModels, importModels, syncModels } from "./transfer-models.ts";

const base = "/api/v1/models";

const list = defineRoute({
  method: "get",
  path: `${base}/list`,
  summary: "Custom models that the caller can see",
  request: { query: modelPageQuery },
  responses: answers("One page", modelPage),
});
const bases = defineRoute({
  method: "get",
  path: `${base}/base`,
  requires: requireAdmin,
  summary: "The stored settings of providers' models (administrators)",
  responses: answers("All of them", z.array(storedModelView)),
});
const tags = defineRoute({
  method: "get",
  path: `${base}/tags`,
  summary: "Tags of custom models",
  responses: answers("Sorted names", z.array(z.string())),
});
const one = defineRoute({
  method: "get",
  path: `${base}/model`,
  summary: "Get a stored model",
  request: { query: modelIdQuery },
  responses: answers("The model", storedModelView),
});
const exported = defineRoute({
  method: "get",
  path: `${base}/export`,
  requires: (ctx) => requirePermission(ctx, "workspace.models"),
  summary: "Export the models that the caller can change, or one of them, with pictures",
  request: { query: exportQuery },
  responses: answers("In the format of the import", z.array(storedModelView)),
});
const create = defineRoute({
  method: "post",
  path: `${base}/create`,
  requires: (ctx) => requirePermission(ctx, "workspace.models"),
  summary: "Create a model",
  request: jsonBody(newModel),
  responses: answers("The model", storedModelView),
});
const update = defineRoute({
  method: "post",
  path: `${base}/model/update`,
  summary: "Update a model; only the fields in the body change",
  request: jsonBody(modelChange),
  responses: answers("The model", storedModelView),
});
const toggle = defineRoute({
  method: "post",
  path: `${base}/model/toggle`,
  summary: "Switch a model on or off; without `is_active`, toggle it",
  request: { query: modelIdQuery, ...flagBody("is_active") },
  responses: answers("The model", storedModelView),
});
const access = defineRoute({
  method: "post",
  path: `${base}/model/access/update`,
  summary: "Set who can use a model",
  request: jsonBody(accessChange),
  responses: answers("The model", storedModelView),
});
const remove = defineRoute({
  method: "post",
  path: `${base}/model/delete`,
  summary: "Delete a stored model",
  request: jsonBody(modelIdBody),
  responses: answers("Done", z.literal(true)),
});
const removeAll = defineRoute({
  method: "delete",
  path: `${base}/delete/all`,
  requires: requireAdmin,
  summary: "Delete all stored models (administrators)",
  responses: answers("Done", z.literal(true)),
});
const importing = defineRoute({
  method: "post",
  path: `${base}/import`,
  requires: (ctx) => requirePermission(ctx, "workspace.models"),
  maxBody: largeBody,
  summary: "Import models: create or update all of them, or none if one is invalid",
  request: jsonBody(importedModels),
  responses: answers("Done", z.literal(true)),
});
const sync = defineRoute({
  method: "post",
  path: `${base}/sync`,
  requires: requireAdmin,
  maxBody: largeBody,
  summary: "Import models and delete those that are missing (administrators)",
  request: jsonBody(importedModels),
  responses: answers("Done", z.literal(true)),
});
const picture = defineRoute({
  method: "get",
  path: `${base}/model/profile/image`,
  summary: "A model's picture",
  request: { query: modelIdQuery },
  responses: {
    200: { description: "The picture" },
    302: { description: "Redirect to the picture, or to the service's logo if there is none" },
  },
});

/** Custom models, and settings of providers' models, with Open WebUI's paths and formats. */
export function storedModelRoutes() {
  const router = createRouter({ dialect: renderModelsError, takesXApiKey: isMessagesClient });
  router.openapi(list, async (c) => c.json(await listStoredModels(contextOf(c), c.req.valid("query")), 200));
  router.openapi(bases, async (c) => c.json(await listBaseModels(contextOf(c)), 200));
  router.openapi(tags, async (c) => c.json(await listModelTags(contextOf(c)), 200));
  router.openapi(one, async (c) => c.json(await getStoredModel(contextOf(c), c.req.valid("query").id), 200));
  router.openapi(exported, async (c) => c.json(await exportModels(contextOf(c), c.req.valid("query").id), 200));
  router.openapi(create, async (c) => c.json(await createModel(contextOf(c), c.req.valid("json")), 200));
  router.openapi(update, async (c) => c.json(await changeModel(contextOf(c), c.req.valid("json")), 200));
  router.openapi(toggle, async (c) =>
    c.json(await toggleModel(contextOf(c), c.req.valid("query").id, c.req.valid("json")?.is_active), 200),
  );
  router.openapi(access, async (c) => c.json(await changeModelAccess(contextOf(c), c.req.valid("json")), 200));
  router.openapi(remove, async (c) => {
    await deleteModel(contextOf(c), c.req.valid("json").id);
    return c.json(true as const, 200);
  });
  router.openapi(removeAll, async (c) => {
    await deleteAllModels(contextOf(c));
    return c.json(true as const, 200);
  });
  router.openapi(importing, async (c) => {
    await importModels(contextOf(c), c.req.valid("json").models);
    return c.json(true as const, 200);
  });
  router.openapi(sync, async (c) => {
    await syncModels(contextOf(c), c.req.valid("json").models);
    return c.json(true as const, 200);
  });
  router.openapi(picture, async (c) => {
    const found = await readPicture(contextOf(c), c.req.valid("query").id);
    if (!found || "url" in found) return c.redirect(inBase(contextOf(c), found?.url ?? "/favicon.svg"), 302);
    // Its type is what its bytes are, and it can run nothing.
    const headers = {
      "content-type": found.type,
      "cache-control": "private, max-age=86400",
      "content-security-policy": "default-src 'none'; sandbox",
    };
    return c.body(found.bytes, 200, headers);
  });
  return router;
}
