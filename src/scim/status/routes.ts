import { requireAdmin } from "../../access.ts";
import { answers } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { scimStatus } from "../schema.ts";
import { getScimStatus } from "./get-status.ts";

const status = defineRoute({
  method: "get",
  path: "/api/v1/auths/admin/scim",
  requires: requireAdmin,
  summary: "The configuration of provisioning (administrators)",
  responses: answers("The state", scimStatus),
});

export function scimStatusRoutes() {
  const router = createRouter();
  router.openapi(status, async (c) => c.json(await getScimStatus(contextOf(c)), 200));
  return router;
}
