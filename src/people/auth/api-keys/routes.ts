import * as z from "zod";
import { answers } from "../../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { idParam } from "../../schema.ts";
import { requireSignedIn } from "./delete-keys.ts";
import {
  createApiKey,
  deleteApiKey,
  deleteOwnApiKeys,
  getNewestApiKey,
  listApiKeys,
  requireKeyCreator,
} from "./own-keys.ts";
import { apiKeyFields, apiKeyList, newApiKey, newestApiKey } from "./schema.ts";

const create = defineRoute({
  method: "post",
  path: "/api/v1/auths/api_key",
  requires: requireKeyCreator,
  summary: "Create an API key; the secret is shown in this response only. Needs a session, not a key",
  request: { body: { content: { "application/json": { schema: apiKeyFields } } } },
  responses: answers("The key with its secret", newApiKey),
});

const newest = defineRoute({
  method: "get",
  path: "/api/v1/auths/api_key",
  summary: "The caller's newest API key, without its secret",
  responses: answers("The key", newestApiKey),
});

const removeAll = defineRoute({
  method: "delete",
  path: "/api/v1/auths/api_key",
  requires: requireSignedIn,
  summary: "Delete all of the caller's API keys. Needs a session, not a key",
  responses: answers("Whether there was a key to delete", z.boolean()),
});

const list = defineRoute({
  method: "get",
  path: "/api/v1/auths/api_keys",
  summary: "The caller's API keys, without their secrets",
  responses: answers("The keys, newest first", apiKeyList),
});

const remove = defineRoute({
  method: "delete",
  path: "/api/v1/auths/api_keys/{id}",
  requires: requireSignedIn,
  summary: "Delete one of the caller's API keys. Needs a session, not a key",
  request: { params: idParam },
  responses: answers("Deleted", z.literal(true)),
});

export function apiKeyRoutes() {
  const router = createRouter();
  router.openapi(create, async (c) => {
    const made = await createApiKey(contextOf(c), c.req.valid("json")?.name);
    c.header("cache-control", "no-store");
    return c.json(made, 200);
  });
  router.openapi(newest, async (c) => c.json(await getNewestApiKey(contextOf(c)), 200));
  router.openapi(removeAll, async (c) => c.json(await deleteOwnApiKeys(contextOf(c)), 200));
  router.openapi(list, async (c) => c.json(await listApiKeys(contextOf(c)), 200));
  router.openapi(remove, async (c) => {
    await deleteApiKey(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
