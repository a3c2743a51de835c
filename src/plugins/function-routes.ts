import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../http/routes.ts";
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
import { addSharedRoutes, answer, body } from "./shared-routes.ts";
import { exportFunctions } from "./transfer/export-plugins.ts";
import { importPlugins, syncFunctions } from "./transfer/import-plugins.ts";

const base = "/api/v1/functions";
const one = `${base}/id/{id}`;
const params = { params: pluginIdParam };

const lists = [base, `${base}/`, `${base}/list`].map((path) =>
  createRoute({
    method: "get",
    path,
    summary: "Functions: all for administrators, those that are on for others",
    responses: answer("Without their sources", z.array(functionView)),
  }),
);
const exported = createRoute({
  method: "get",
  path: `${base}/export`,
  summary: "All functions as a file (administrators)",
  request: { query: exportQuery },
  responses: answer("As import takes them", z.array(exportedFunction)),
});
const create = createRoute({
  method: "post",
  path: `${base}/create`,
  summary: "Store a function (administrators)",
  request: body(newFunction),
  responses: answer("The function, switched off", functionView),
});
const importing = createRoute({
  method: "post",
  path: `${base}/import`,
  summary: "Store functions, each for itself (administrators)",
  request: body(transferredFunctions),
  responses: answer("What was stored, and what not", importResult),
});
const sync = createRoute({
  method: "post",
  path: `${base}/sync`,
  summary: "Store exactly these functions, or change nothing (administrators)",
  request: body(transferredFunctions),
  responses: answer("All functions", z.array(functionView)),
});
const get = createRoute({
  method: "get",
  path: one,
  summary: "A function with its source (administrators)",
  request: params,
  responses: answer("The function", functionView),
});
const update = createRoute({
  method: "post",
  path: `${one}/update`,
  summary: "Change what is named of a function (administrators)",
  request: { ...params, ...body(functionChange) },
  responses: answer("The function", functionView),
});
const toggle = createRoute({
  method: "post",
  path: `${one}/toggle`,
  summary: "Switch a function on or off (administrators)",
  request: params,
  responses: answer("The function", functionView),
});
const toggleGlobal = createRoute({
  method: "post",
  path: `${one}/toggle/global`,
  summary: "Let a filter or action work with every model, or not (administrators)",
  request: params,
  responses: answer("The function", functionView),
});

const functionsIn = (file: z.infer<typeof transferredFunctions>) => (Array.isArray(file) ? file : file.functions);

/** Pipes, filters and actions, which administrators keep; paths and shapes are the peer's. */
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
  router.openapi(toggle, async (c) => c.json(viewOf(await toggleFunction(contextOf(c), c.req.valid("param").id)), 200));
  router.openapi(toggleGlobal, async (c) =>
    c.json(viewOf(await toggleGlobalFunction(contextOf(c), c.req.valid("param").id)), 200),
  );
  addSharedRoutes(router, "function");
  return router;
}
