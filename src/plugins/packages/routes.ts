import * as z from "zod";
import { requireManager } from "../../access.ts";
import { boundedForm } from "../../http/bounded-form.ts";
import { answers } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { addBundle } from "./bundle/add-bundle.ts";
import { downloadView } from "./downloads/schema.ts";
import { addPackage, deletePackage, listPackages, maxPackageBytes } from "./packages.ts";
import { packageForm, packageIdParam, packageList, packageQuery, packageView } from "./schema.ts";

const base = "/api/v1/plugins/packages";

const list = defineRoute({
  method: "get",
  path: base,
  summary: "Python packages for plugins (managers)",
  request: { query: packageQuery },
  responses: answers("The packages of one organization, or of all that the caller manages", packageList),
});
const add = defineRoute({
  method: "post",
  path: base,
  summary: "Upload a Python package (managers)",
  middleware: boundedForm(maxPackageBytes),
  request: { body: { content: { "multipart/form-data": { schema: packageForm } }, required: true } },
  responses: answers("The package", packageView),
});
const addAll = defineRoute({
  method: "post",
  path: `${base}/bundle`,
  rate: "uploads",
  readsBody: true,
  summary: "Upload a bundle of Python packages (managers); the body is the file",
  request: { query: packageQuery },
  responses: answers("The packages, which plugins have now", downloadView),
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a Python package (managers)",
  request: { params: packageIdParam },
  responses: answers("Done", z.literal(true)),
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
  router.openapi(addAll, async (c) => {
    const { organization_id: id } = c.req.valid("query");
    return c.json(await addBundle(contextOf(c), c.req.raw.body, id), 200);
  });
  router.openapi(remove, async (c) => {
    await deletePackage(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
