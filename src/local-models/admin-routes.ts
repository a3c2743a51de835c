import * as z from "zod";
import { requireAdmin } from "../access.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { listRuntimes } from "./list-runtimes.ts";
import { forgetPull, listPulls, startPull, stopPull } from "./pulls/pulls.ts";
import { newPull, pullView } from "./pulls/schema.ts";
import { runtimeView } from "./schema.ts";

const base = "/api/v1/local-models";
const params = z.object({ id: z.string().min(1).max(100) });
const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ 200: { description, ...json(schema) } });

const list = defineRoute({
  method: "get",
  path: base,
  summary: "Local runtimes with their models",
  responses: answer("The runtimes", z.array(runtimeView)),
});
const pulls = defineRoute({
  method: "get",
  path: `${base}/pulls`,
  summary: "Downloads of models, running and finished",
  responses: answer("The downloads, newest first", z.array(pullView)),
});
const start = defineRoute({
  method: "post",
  path: `${base}/pulls`,
  summary: "Download a model",
  request: { body: { ...json(newPull), required: true } },
  responses: answer("Started", pullView),
});
const stop = defineRoute({
  method: "post",
  path: `${base}/pulls/{id}/stop`,
  summary: "Stop a download; what has been downloaded is kept",
  request: { params },
  responses: answer("Stopped", pullView),
});
const forget = defineRoute({
  method: "delete",
  path: `${base}/pulls/{id}`,
  summary: "Remove a finished download from the list",
  request: { params },
  responses: answer("Done", z.object({ status: z.literal(true) })),
});

/** Local models for administrators; changes go to the runtime itself: `/localmodel/{id}/api/...`. */
export function localModelAdminRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(list, async (c) => c.json(await listRuntimes(contextOf(c)), 200));
  router.openapi(pulls, async (c) => c.json(await listPulls(contextOf(c)), 200));
  router.openapi(start, async (c) => c.json(await startPull(contextOf(c), c.req.valid("json")), 200));
  router.openapi(stop, async (c) => c.json(await stopPull(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(forget, async (c) => {
    await forgetPull(contextOf(c), c.req.valid("param").id);
    return c.json({ status: true as const }, 200);
  });
  return router;
}
