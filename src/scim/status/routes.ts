import { createRoute } from "@hono/zod-openapi";
import { contextOf, createRouter } from "../../http/routes.ts";
import { scimStatus } from "../schema.ts";
import { getScimStatus } from "./get-status.ts";

const status = createRoute({
  method: "get",
  path: "/api/v1/auths/admin/scim",
  summary: "The configuration of provisioning (administrators)",
  responses: { 200: { description: "The state", content: { "application/json": { schema: scimStatus } } } },
});

export function scimStatusRoutes() {
  const router = createRouter();
  router.openapi(status, async (c) => c.json(await getScimStatus(contextOf(c)), 200));
  return router;
}
