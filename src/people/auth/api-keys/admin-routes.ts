import * as z from "zod";
import { requireAdmin, requireManager } from "../../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../../http/routes.ts";
import { idParam } from "../../schema.ts";
import { listManagedApiKeys, reportEndpoints, revokeApiKey, revokeApiKeys } from "./manage-keys.ts";
import { deletedApiKeys, endpointReport, managedApiKeyList, managedApiKeyQuery, ownerQuery } from "./schema.ts";

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});

const list = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/api_keys",
  requires: requireManager,
  summary: "API keys of all people (administrators of an organization: of its people)",
  request: { query: managedApiKeyQuery },
  responses: json(managedApiKeyList, "A page, newest first"),
});

const revokeAll = defineRoute({
  method: "delete",
  path: "/api/v1/auths/admin/api_keys",
  requires: requireManager,
  summary: "Delete all API keys, or those of one person (administrators). Needs a session, not a key",
  request: { query: ownerQuery },
  responses: json(deletedApiKeys, "How many were deleted"),
});

const revoke = defineRoute({
  method: "delete",
  path: "/api/v1/auths/admin/api_keys/{id}",
  requires: requireManager,
  summary: "Delete one API key (administrators). Needs a session, not a key",
  request: { params: idParam },
  responses: json(z.literal(true), "Deleted"),
});

const report = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/api_keys/endpoints",
  requires: requireAdmin,
  summary: "The routes that each entry of the allowed endpoints matches, and entries that match none (administrators)",
  responses: json(endpointReport, "Each entry with its routes"),
});

export function apiKeyAdminRoutes() {
  const router = createRouter();
  router.openapi(list, async (c) => c.json(await listManagedApiKeys(contextOf(c), c.req.valid("query")), 200));
  router.openapi(revokeAll, async (c) =>
    c.json({ deleted: await revokeApiKeys(contextOf(c), c.req.valid("query").user_id) }, 200),
  );
  router.openapi(revoke, async (c) => {
    await revokeApiKey(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(report, (c) => c.json(reportEndpoints(contextOf(c), c.get("routes")), 200));
  return router;
}
