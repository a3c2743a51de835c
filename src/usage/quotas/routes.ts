import * as z from "zod";
import { requireManager } from "../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../../people/schema.ts";
import { changeQuota, createQuota, deleteQuota, listQuotas } from "./quotas.ts";
import { quota, quotaChange, quotaInput, quotaList } from "./schema.ts";

const base = "/api/v1/quotas";
const json = <T extends z.ZodType>(schema: T, description: string) => ({
  200: { description, content: { "application/json": { schema } } },
});
const body = <T extends z.ZodType>(schema: T) => ({ required: true, content: { "application/json": { schema } } });

const list = defineRoute({
  method: "get",
  path: base,
  summary:
    "Quotas (administrators; administrators of an organization: its own quotas, and those that apply to all of its people)",
  responses: json(quotaList, "Quotas, oldest first"),
});
const create = defineRoute({
  method: "post",
  path: base,
  summary:
    "Create a quota for tokens or requests of everyone, an organization, a group, a person or a key (administrators)",
  request: { body: body(quotaInput) },
  responses: json(quota, "The quota"),
});
const change = defineRoute({
  method: "patch",
  path: `${base}/{id}`,
  summary: "Change the amount of a quota (administrators)",
  request: { params: idParam, body: body(quotaChange) },
  responses: json(quota, "The updated quota"),
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a quota (administrators)",
  request: { params: idParam },
  responses: json(z.literal(true), "Deleted"),
});

export function quotaRoutes() {
  const router = createRouter({ requires: requireManager });
  router.openapi(list, async (c) => c.json({ quotas: await listQuotas(contextOf(c)) }, 200));
  router.openapi(create, async (c) => c.json(await createQuota(contextOf(c), c.req.valid("json")), 200));
  router.openapi(change, async (c) =>
    c.json(await changeQuota(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteQuota(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
