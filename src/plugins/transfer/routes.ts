import { largeBody } from "../../http/body.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { foundPlugins, lookedAt } from "../schema.ts";
import { findPlugins, requireImporter } from "./find-plugins.ts";

const find = defineRoute({
  method: "post",
  path: "/api/v1/plugins/find",
  requires: requireImporter,
  maxBody: largeBody,
  summary: "Look at plugins in files, or at addresses and in folders of GitHub (addresses: administrators)",
  request: jsonBody(lookedAt),
  responses: answers("What was found; nothing is stored", foundPlugins),
});

/** Functions and tools that could be imported. They are stored as all others are: by creating or updating one. */
export function pluginImportRoutes() {
  const router = createRouter();
  router.openapi(find, async (c) => c.json(await findPlugins(contextOf(c), c.req.valid("json")), 200));
  return router;
}
