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
  summary: "What a notification target can hear of",
  responses: json(eventList, "The events"),
});
const list = createRoute({
  method: "get",
  path: `${base}/targets`,
  summary: "One's own webhook, as a list of none or one target",
  responses: json(targetList, "The targets"),
});
const add = createRoute({
  method: "post",
  path: `${base}/targets`,
  summary: "Set one's own webhook, where there is none yet",
  request: body,
  responses: json(target, "The target"),
});
const change = createRoute({
  method: "put",
  path: `${base}/targets/{id}`,
  summary: "Change what the body names of one's own webhook",
  request: { params: idParam, ...body },
  responses: json(target, "The target as it is now"),
});
const remove = createRoute({
  method: "delete",
  path: `${base}/targets/{id}`,
  summary: "Take the address of one's own webhook away",
  request: { params: idParam },
  responses: json(done, "It is gone"),
});
const makeDefault = createRoute({
  method: "put",
  path: `${base}/targets/{id}/default`,
  summary: "Make a target the one that is used unless another is named: the only one always is",
  request: { params: idParam },
  responses: json(target, "The target"),
});
const test = createRoute({
  method: "post",
  path: `${base}/targets/{id}/test`,
  summary: "Send a test to one's own webhook; 400 where it is not taken",
  request: { params: idParam },
  responses: json(done, "It was taken"),
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
