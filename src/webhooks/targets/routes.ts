import { createRoute } from "@hono/zod-openapi";
import type * as z from "zod";
import { contextOf, createRouter } from "../../http/routes.ts";
import { idParam } from "../../people/schema.ts";
import { done, eventList, target, targetChange, targetList } from "./schema.ts";
import {
  addTarget,
  changeTarget,
  getTarget,
  listTargetEvents,
  listTargets,
  removeTarget,
  testTarget,
} from "./targets.ts";

const base = "/api/v1/notifications";
const json = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});
const body = { body: { required: true, content: { "application/json": { schema: targetChange } } } };

const events = createRoute({
  method: "get",
  path: `${base}/events`,
  summary: "The events for notification targets",
  responses: json(eventList, "The events"),
});
const list = createRoute({
  method: "get",
  path: `${base}/targets`,
  summary: "The caller's webhook, as a list with at most one target",
  responses: json(targetList, "The targets"),
});
const add = createRoute({
  method: "post",
  path: `${base}/targets`,
  summary: "Create the caller's webhook, if there is none yet",
  request: body,
  responses: json(target, "The target"),
});
const change = createRoute({
  method: "put",
  path: `${base}/targets/{id}`,
  summary: "Update the caller's webhook; only the fields in the body change",
  request: { params: idParam, ...body },
  responses: json(target, "The updated target"),
});
const remove = createRoute({
  method: "delete",
  path: `${base}/targets/{id}`,
  summary: "Delete the address of the caller's webhook",
  request: { params: idParam },
  responses: json(done, "Deleted"),
});
const makeDefault = createRoute({
  method: "put",
  path: `${base}/targets/{id}/default`,
  summary: "Make a target the default; the only target always is",
  request: { params: idParam },
  responses: json(target, "The target"),
});
const test = createRoute({
  method: "post",
  path: `${base}/targets/{id}/test`,
  summary: "Send a test to the caller's webhook; 400 if it is not accepted",
  request: { params: idParam },
  responses: json(done, "Accepted"),
});

/** The peer's notification targets (peer facts 6.3), as far as there is one webhook for each person. */
export function targetRoutes() {
  const router = createRouter();
  router.openapi(events, (c) => c.json({ events: listTargetEvents(contextOf(c)) }, 200));
  router.openapi(list, async (c) => c.json({ targets: await listTargets(contextOf(c)) }, 200));
  router.openapi(add, async (c) => c.json(await addTarget(contextOf(c), c.req.valid("json")), 200));
  router.openapi(change, async (c) =>
    c.json(await changeTarget(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(makeDefault, async (c) => c.json(await getTarget(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(test, async (c) => {
    await testTarget(contextOf(c), c.req.valid("param").id);
    return c.json({ ok: true as const }, 200);
  });
  router.openapi(remove, async (c) => {
    await removeTarget(contextOf(c), c.req.valid("param").id);
    return c.json({ ok: true as const }, 200);
  });
  return router;
}
