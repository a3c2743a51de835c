import * as z from "zod";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { trialResult } from "../connections/schema.ts";
import {
  changeDirectConnection,
  createDirectConnection,
  deleteDirectConnection,
  getDirectConnection,
  listDirectConnections,
} from "./direct-connections.ts";
import { requireDirect } from "./may-use-direct.ts";
import {
  directConnectionChange,
  directConnectionList,
  directConnectionView,
  directTrial,
  newDirectConnection,
} from "./schema.ts";
import { tryDirectConnection } from "./try-direct.ts";

const base = "/api/v1/users/user/connections";
const params = z.object({ id: z.string().min(1).max(100) });

const list = defineRoute({
  method: "get",
  path: base,
  summary: "The caller's direct connections",
  responses: answers("The connections, and whether the caller may have any", directConnectionList),
});
const create = defineRoute({
  method: "post",
  path: base,
  requires: requireDirect,
  summary: "Connect a provider for the caller only",
  request: jsonBody(newDirectConnection),
  responses: answers("The connection", directConnectionView),
});
const verify = defineRoute({
  method: "post",
  path: `${base}/verify`,
  requires: requireDirect,
  summary: "Test a direct connection, saved or not: lists the provider's models",
  request: jsonBody(directTrial),
  responses: answers("The result", trialResult),
});
const one = defineRoute({
  method: "get",
  path: `${base}/{id}`,
  summary: "Get a direct connection of the caller",
  request: { params },
  responses: answers("The connection", directConnectionView),
});
const change = defineRoute({
  method: "patch",
  path: `${base}/{id}`,
  requires: requireDirect,
  summary: "Update a direct connection; only the fields in the body change",
  request: { params, ...jsonBody(directConnectionChange) },
  responses: answers("The connection", directConnectionView),
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a direct connection and its key",
  request: { params },
  responses: answers("Done", z.object({ status: z.literal(true) })),
});

/** People's own connections to providers. Keys can be written but never read. */
export function directConnectionRoutes() {
  const router = createRouter();
  router.openapi(list, async (c) => c.json(await listDirectConnections(contextOf(c)), 200));
  router.openapi(create, async (c) => c.json(await createDirectConnection(contextOf(c), c.req.valid("json")), 200));
  router.openapi(verify, async (c) => c.json(await tryDirectConnection(contextOf(c), c.req.valid("json")), 200));
  router.openapi(one, async (c) => c.json(await getDirectConnection(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(change, async (c) =>
    c.json(await changeDirectConnection(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteDirectConnection(contextOf(c), c.req.valid("param").id);
    return c.json({ status: true as const }, 200);
  });
  return router;
}
