import * as z from "zod";
import { requirePermission } from "../access.ts";
import { largeBody } from "../http/body.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { changeAccess, changePlugin } from "./change-plugin.ts";
import { createPlugin } from "./create-plugin.ts";
import { getTool, listTools, listUsableTools } from "./list-plugins.ts";
import { toolView as viewOf } from "./plugin-view.ts";
import {
  accessChange,
  exportedTool,
  exportQuery,
  importResult,
  newTool,
  pluginIdParam,
  toolChange,
  toolView,
  transferredTools,
} from "./schema.ts";
import { addSharedRoutes } from "./shared-routes.ts";
import { listedToolServer } from "./tool-servers/schema.ts";
import { exportTools } from "./transfer/export-plugins.ts";
import { importPlugins } from "./transfer/import-plugins.ts";

const base = "/api/v1/tools";
const one = `${base}/id/{id}`;
const params = { params: pluginIdParam };

const usable = [base, `${base}/`].map((path) =>
  defineRoute({
    method: "get",
    path,
    summary: "Tools that the caller can use, including those of tool servers",
    responses: answers("The tools, without their sources", z.array(z.union([toolView, listedToolServer]))),
  }),
);
const list = defineRoute({
  method: "get",
  path: `${base}/list`,
  summary: "Plugin tools that the caller can use",
  responses: answers("The tools, without their sources", z.array(toolView)),
});
const exported = defineRoute({
  method: "get",
  path: `${base}/export`,
  requires: (ctx) => requirePermission(ctx, "workspace.tools"),
  summary: "Export the tools that the caller can change",
  request: { query: exportQuery },
  responses: answers("In the format of the import", z.array(exportedTool)),
});
const create = defineRoute({
  method: "post",
  path: `${base}/create`,
  maxBody: largeBody,
  requires: (ctx) => requirePermission(ctx, "workspace.tools"),
  summary: "Create a tool",
  request: jsonBody(newTool),
  responses: answers("The tool", toolView),
});
const importing = defineRoute({
  method: "post",
  path: `${base}/import`,
  requires: (ctx) => requirePermission(ctx, "workspace.tools"),
  maxBody: largeBody,
  summary: "Import tools one by one",
  request: jsonBody(transferredTools),
  responses: answers("What was stored and what failed", importResult),
});
const get = defineRoute({
  method: "get",
  path: one,
  summary: "Get a tool; with its source for people who can change it",
  request: params,
  responses: answers("The tool", toolView),
});
const update = defineRoute({
  method: "post",
  path: `${one}/update`,
  maxBody: largeBody,
  summary: "Update a tool; only the fields in the body change",
  request: { ...params, ...jsonBody(toolChange) },
  responses: answers("The tool", toolView),
});
const access = defineRoute({
  method: "post",
  path: `${one}/access/update`,
  summary: "Set who can use a tool",
  request: { ...params, ...jsonBody(accessChange) },
  responses: answers("The tool", toolView),
});

/** Tools that people with the permission write, for themselves and others, with Open WebUI's paths and formats. */
export function toolRoutes() {
  const router = createRouter();
  for (const route of usable) router.openapi(route, async (c) => c.json(await listUsableTools(contextOf(c)), 200));
  router.openapi(list, async (c) => c.json(await listTools(contextOf(c)), 200));
  router.openapi(exported, async (c) => {
    const { include_valves: valves } = c.req.valid("query");
    return c.json(await exportTools(contextOf(c), valves === "true" || valves === "1"), 200);
  });
  router.openapi(create, async (c) => {
    const input = c.req.valid("json");
    const { entry, grants } = await createPlugin(contextOf(c), "tool", input);
    return c.json(viewOf(entry, grants, true, input.content), 200);
  });
  router.openapi(importing, async (c) => {
    const file = c.req.valid("json");
    return c.json(await importPlugins(contextOf(c), "tool", Array.isArray(file) ? file : file.tools), 200);
  });
  router.openapi(get, async (c) => c.json(await getTool(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(update, async (c) => {
    const { entry, grants, source } = await changePlugin(
      contextOf(c),
      "tool",
      c.req.valid("param").id,
      c.req.valid("json"),
    );
    return c.json(viewOf(entry, grants, true, source), 200);
  });
  router.openapi(access, async (c) => {
    const { entry, grants } = await changeAccess(contextOf(c), c.req.valid("param").id, c.req.valid("json"));
    return c.json(viewOf(entry, grants, true), 200);
  });
  addSharedRoutes(router, "tool");
  return router;
}
