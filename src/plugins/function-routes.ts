import * as z from "zod";
import { requireAdmin } from "../access.ts";
import { largeBody } from "../http/body.ts";
import { answers, flagBody, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { changePlugin, toggleFunction, toggleGlobalFunction } from "./change-plugin.ts";
import { createPlugin } from "./create-plugin.ts";
import { getFunction, listFunctions } from "./list-plugins.ts";
import { functionView as viewOf } from "./plugin-view.ts";
import {
  exportedFunction,
  exportQuery,
  functionChange,
  functionView,
  importResult,
  newFunction,
  pluginIdParam,
  transferredFunctions,
} from "./schema.ts";
import { addSharedRoutes } from "./shared-routes.ts";
import { exportFunctions } from "./transfer/export-plugins.ts";
import { importPlugins, syncFunctions } from "./transfer/import-plugins.ts";

const base = "/api/v1/functions";
const one = `${base}/id/{id}`;
const params = { params: pluginIdParam };

const lists = [base, `${base}/`, `${base}/list`].map((path) =>
  defineRoute({
    method: "get",
    path,
    summary: "Functions: all for administrators, active ones for others",
    responses: answers("The functions, without their sources", z.array(functionView)),
  }),
);
const exported = defineRoute({
  method: "get",
  path: `${base}/export`,
  requires: requireAdmin,
  summary: "All functions as a file (administrators)",
  request: { query: exportQuery },
  responses: answers("In the format of the import", z.array(exportedFunction)),
});
const create = defineRoute({
  method: "post",
  path: `${base}/create`,
  maxBody: largeBody,
  requires: requireAdmin,
  summary: "Create a function (administrators)",
  request: jsonBody(newFunction),
  responses: answers("The function, switched off", functionView),
});
const importing = defineRoute({
  method: "post",
  path: `${base}/import`,
  requires: requireAdmin,
  maxBody: largeBody,
  summary: "Import functions one by one (administrators)",
  request: jsonBody(transferredFunctions),
  responses: answers("What was stored and what failed", importResult),
});
const sync = defineRoute({
  method: "post",
  path: `${base}/sync`,
  requires: requireAdmin,
  maxBody: largeBody,
  summary: "Replace all functions with these; if one is invalid, nothing changes (administrators)",
  request: jsonBody(transferredFunctions),
  responses: answers("All functions", z.array(functionView)),
});
const get = defineRoute({
  method: "get",
  path: one,
  requires: requireAdmin,
  summary: "Get a function with its source (administrators)",
  request: params,
  responses: answers("The function", functionView),
});
const update = defineRoute({
  method: "post",
  path: `${one}/update`,
  maxBody: largeBody,
  requires: requireAdmin,
  summary: "Update a function; only the fields in the body change (administrators)",
  request: { ...params, ...jsonBody(functionChange) },
  responses: answers("The function", functionView),
});
const toggle = defineRoute({
  method: "post",
  path: `${one}/toggle`,
  requires: requireAdmin,
  summary: "Switch a function on or off; without `is_active`, toggle it (administrators)",
  request: { ...params, ...flagBody("is_active") },
  responses: answers("The function", functionView),
});
const toggleGlobal = defineRoute({
  method: "post",
  path: `${one}/toggle/global`,
  requires: requireAdmin,
  summary: "Make a filter or action global, or undo it; without `is_global`, toggle it (administrators)",
  request: { ...params, ...flagBody("is_global") },
  responses: answers("The function", functionView),
});

const functionsIn = (file: z.infer<typeof transferredFunctions>) => (Array.isArray(file) ? file : file.functions);

/** Pipes, filters and actions, managed by administrators, with Open WebUI's paths and formats. */
export function functionRoutes() {
  const router = createRouter();
  for (const list of lists) router.openapi(list, async (c) => c.json(await listFunctions(contextOf(c)), 200));
  router.openapi(exported, async (c) => {
    const { include_valves: valves } = c.req.valid("query");
    return c.json(await exportFunctions(contextOf(c), valves === "true" || valves === "1"), 200);
  });
  router.openapi(create, async (c) => {
    const input = c.req.valid("json");
    return c.json(viewOf((await createPlugin(contextOf(c), "function", input)).entry, input.content), 200);
  });
  router.openapi(importing, async (c) =>
    c.json(await importPlugins(contextOf(c), "function", functionsIn(c.req.valid("json"))), 200),
  );
  router.openapi(sync, async (c) => c.json(await syncFunctions(contextOf(c), functionsIn(c.req.valid("json"))), 200));
  router.openapi(get, async (c) => c.json(await getFunction(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(update, async (c) => {
    const { entry, source } = await changePlugin(
      contextOf(c),
      "function",
      c.req.valid("param").id,
      c.req.valid("json"),
    );
    return c.json(viewOf(entry, source), 200);
  });
  router.openapi(toggle, async (c) =>
    c.json(viewOf(await toggleFunction(contextOf(c), c.req.valid("param").id, c.req.valid("json")?.is_active)), 200),
  );
  router.openapi(toggleGlobal, async (c) =>
    c.json(
      viewOf(await toggleGlobalFunction(contextOf(c), c.req.valid("param").id, c.req.valid("json")?.is_global)),
      200,
    ),
  );
  addSharedRoutes(router, "function");
  return router;
}
