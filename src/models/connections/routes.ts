import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { changeConnection, createConnection, deleteConnection, getConnection, listConnections } from "./connections.ts";
import { findLocalRuntime } from "./find-local-runtime.ts";
import {
  connectionChange,
  connectionTrial,
  connectionView,
  localRuntime,
  newConnection,
  trialResult,
} from "./schema.ts";
import { tryConnection } from "./try-connection.ts";

const base = "/api/v1/connections";
const params = z.object({ id: z.string().min(1).max(100) });
const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
const body = <S extends z.ZodType>(schema: S) => ({ body: { ...json(schema), required: true } });
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ 200: { description, ...json(schema) } });

const list = defineRoute({
  method: "get",
  path: base,
  summary: "All connections, those from the environment first",
  responses: answer("The connections", z.array(connectionView)),
});
const create = defineRoute({
  method: "post",
  path: base,
  summary: "Create a connection to a provider",
  request: body(newConnection),
  responses: answer("The connection", connectionView),
});
const verify = defineRoute({
  method: "post",
  path: `${base}/verify`,
  summary: "Test a connection, saved or not: lists the provider's models",
  request: body(connectionTrial),
  responses: answer("The result", trialResult),
});
const local = defineRoute({
  method: "get",
  path: `${base}/local-runtime`,
  summary: "Look for a local runtime on this machine",
  responses: answer("The runtime found, if any", localRuntime),
});
const one = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "Get a connection",
  request: { params },
  responses: answer("The connection", connectionView),
});
const change = defineRoute({
  method: "patch",
  path: `${base}/{id}`,
  summary: "Update a connection; only the fields in the body change",
  request: { params, ...body(connectionChange) },
  responses: answer("The connection", connectionView),
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a connection and its key",
  request: { params },
  responses: answer("Done", z.object({ status: z.literal(true) })),
});

/** Connections to providers; for administrators. Keys and header values can be written but never read. */
export function connectionRoutes() {
  const router = createRouter({ requires: requireAdmin });
  router.openapi(list, async (c) => c.json(await listConnections(contextOf(c)), 200));
  router.openapi(create, async (c) => c.json(await createConnection(contextOf(c), c.req.valid("json")), 200));
  router.openapi(verify, async (c) => c.json(await tryConnection(contextOf(c), c.req.valid("json")), 200));
  router.openapi(local, async (c) => c.json(await findLocalRuntime(contextOf(c)), 200));
  router.openapi(one, async (c) => c.json(await getConnection(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(change, async (c) =>
    c.json(await changeConnection(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteConnection(contextOf(c), c.req.valid("param").id);
    return c.json({ status: true as const }, 200);
  });
  return router;
}
