import * as z from "zod";
import { requireAdmin, requirePermission } from "../../access.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { idParam } from "../../people/schema.ts";
import { copyDataOf, copyOwnData } from "./copy-data.ts";

const responses = {
  200: { description: "The zip file", content: { "application/zip": { schema: z.string() } } },
  409: { description: "Another copy of it is being downloaded" },
};

const own = defineRoute({
  method: "get",
  path: "/api/v1/data-copy",
  requires: (ctx) => requirePermission(ctx, "chat.export"),
  summary: "Download everything that there is of the caller as a zip file",
  responses,
});
const other = defineRoute({
  method: "get",
  path: "/api/v1/users/{id}/data-copy",
  requires: requireAdmin,
  summary: "Download everything that there is of a person as a zip file (system administrators)",
  request: { params: idParam },
  responses,
});

export function copyRoutes() {
  const router = createRouter();
  router.openapi(own, async (c) => (await answer(c.req.raw.method, await copyOwnData(contextOf(c)))) as never);
  router.openapi(
    other,
    async (c) => (await answer(c.req.raw.method, await copyDataOf(contextOf(c), c.req.valid("param").id))) as never,
  );
  return router;
}

async function answer(method: string, { name, body }: Awaited<ReturnType<typeof copyOwnData>>): Promise<Response> {
  // Nobody reads what answers a HEAD: the place for copies is free again at once.
  if (method === "HEAD") await body.cancel();
  return new Response(method === "HEAD" ? null : body, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${name}.zip"`,
      "cache-control": "no-store",
    },
  });
}
