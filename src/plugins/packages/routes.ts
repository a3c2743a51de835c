import * as z from "zod";
import { requireManager } from "../../access.ts";
import { boundedForm } from "../../http/bounded-form.ts";
import { contextOf, createRouter } from "../../http/routes.ts";
import { defineRoute } from "../../http/routes.ts";
import { addPackage, deletePackage, listPackages, maxPackageBytes } from "./packages.ts";
import { packageForm, packageIdParam, packageList, packageQuery, packageView } from "./schema.ts";

const base = "/api/v1/plugins/packages";
const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
const answer = <S extends z.ZodType>(description: string, schema: S) => ({ 200: { description, ...json(schema) } });

const list = defineRoute({
  method: "get",
  path: base,
  summary: "Python packages for plugins (managers)",
  request: { query: packageQuery },
  responses: answer("The packages of one organization, or of all that the caller manages", packageList),
});
const add = defineRoute({
  method: "post",
  path: base,
  summary: "Upload a Python package (managers)",
  middleware: boundedForm(maxPackageBytes),
  request: { body: { content: { "multipart/form-data": { schema: packageForm } }, required: true } },
  responses: answer("The package", packageView),
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a Python package (managers)",
  request: { params: packageIdParam },
  responses: answer("Done", z.literal(true)),
});

/** Python packages that administrators upload for their organization's plugins. */
export function packageRoutes() {
  const router = createRouter({ requires: requireManager });
  router.openapi(list, async (c) => {
    const { organization_id: id } = c.req.valid("query");
    return c.json({ packages: await listPackages(contextOf(c), id) }, 200);
  });
  router.openapi(add, async (c) => {
    const { file, organization_id: id } = c.req.valid("form");
    const bytes = new Uint8Array(await file.arrayBuffer());
    return c.json(await addPackage(contextOf(c), file.name, bytes, id), 200);
  });
  router.openapi(remove, async (c) => {
    await deletePackage(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
