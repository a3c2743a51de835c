import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../http/routes.ts";
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
import { addSharedRoutes, answer, body } from "./shared-routes.ts";
import { listedToolServer } from "./tool-servers/schema.ts";
import { exportTools } from "./transfer/export-plugins.ts";
import { importPlugins } from "./transfer/import-plugins.ts";

const base = "/api/v1/tools";
const one = `${base}/id/{id}`;
const params = { params: pluginIdParam };

const usable = [base, `${base}/`].map((path) =>
  createRoute({
    method: "get",
    path,
    summary: "Tools that the caller can use, including those of tool servers",
    responses: answer("The tools, without their sources", z.array(z.union([toolView, listedToolServer]))),
  }),
);
const list = createRoute({
  method: "get",
  path: `${base}/list`,
  summary: "Plugin tools that the caller can use",
  responses: answer("The tools, without their sources", z.array(toolView)),
});
const exported = createRoute({
  method: "get",
  path: `${base}/export`,
  summary: "Export the tools that the caller can change",
  request: { query: exportQuery },
  responses: answer("In the format of the import", z.array(exportedTool)),
});
const create = createRoute({
  method: "post",
  path: `${base}/create`,
  summary: "Create a tool",
  request: body(newTool),
  responses: answer("The tool", toolView),
});
const importing = createRoute({
  method: "post",
  path: `${base}/import`,
  summary: "Import tools one by one",
  request: body(transferredTools),
  responses: answer("What was stored and what failed", importResult),
});
const get = createRoute({
  method: "get",
  path: one,
  summary: "Get a tool; with its source for people who can change it",
  request: params,
  responses: answer("The tool", toolView),
});
const update = createRoute({
  method: "post",
  path: `${one}/update`,
  summary: "Update a tool; only the fields in the body change",
  request: { ...params, ...body(toolChange) },
  responses: answer("The tool", toolView),
});
const access = createRoute({
  method: "post",
  path: `${one}/access/update`,
  summary: "Set who can use a tool",
  request: { ...params, ...body(accessChange) },
  responses: answer("The tool", toolView),
});

/** Tools that people with the permission write, for themselves and for those they share them with; paths and shapes are the peer's. */
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
