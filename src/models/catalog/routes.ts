import { createRoute } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { AppError } from "../../errors.ts";
import { contextOf, createRouter, type AppEnvironment } from "../../http/routes.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { listModels, listProvidedModels, type ModelListing } from "./list-models.ts";
import { modelEntry, modelList } from "./schema.ts";

const query = z.object({
  /** Ask all providers now instead of using what was heard some seconds ago. */
  refresh: z.stringbool().optional(),
});
const listed = {
  200: {
    description: "The models; `x-parley-unreachable` names connections that are missing from them",
    content: { "application/json": { schema: modelList } },
  },
  304: { description: "Nothing has changed" },
};

/** `/api/models`, and the addresses where SDKs with `/api/v1` as their base look for it. */
const paths = ["/api/models", "/api/models/", "/api/v1/models", "/api/v1/models/"] as const;

const base = createRoute({
  method: "get",
  path: "/api/models/base",
  summary: "All models of all providers, hidden ones too (administrators)",
  request: { query },
  responses: listed,
});
const one = {
  method: "get",
  summary: "One model",
  request: { params: z.object({ id: z.string().min(1).max(600) }) },
  responses: { 200: { description: "The model", content: { "application/json": { schema: modelEntry } } } },
} as const;

export function catalogRoutes() {
  const router = createRouter();
  for (const path of paths) {
    router.openapi(
      createRoute({
        method: "get",
        path,
        summary: "Level 2: the models that the caller may use",
        request: { query },
        responses: listed,
      }),
      async (c) => answerList(c, await listModels(contextOf(c), { refresh: c.req.valid("query").refresh === true })),
    );
  }
  router.openapi(base, async (c) => {
    requireAdmin(contextOf(c));
    return answerList(c, await listProvidedModels(contextOf(c), { refresh: c.req.valid("query").refresh === true }));
  });
  for (const path of ["/api/models/{id}", "/api/v1/models/{id}"] as const) {
    router.openapi(createRoute({ ...one, path }), async (c) => {
      const { id } = c.req.valid("param");
      const { models } = await listModels(contextOf(c));
      const found = models.find((model) => model.id === id);
      if (!found)
        throw new AppError(
          "model_not_found",
          `The model ${JSON.stringify(id)} does not exist, or you have no access to it`,
          { param: "model" },
        );
      return c.json(found, 200);
    });
  }
  return router;
}

/** With a validator, so that a client that polls pays only for changes. */
async function answerList(c: HonoContext<AppEnvironment>, { models, unreachable }: ModelListing) {
  const text = JSON.stringify({ object: "list", data: models });
  const etag = `W/"${(await sha256Hex(text)).slice(0, 32)}"`;
  const headers = {
    "cache-control": "private, no-cache",
    etag,
    ...(unreachable.length > 0 ? { "x-parley-unreachable": unreachable.map(headerText).join(", ") } : {}),
  };
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((part) => part.trim());
  if (known?.includes(etag)) return c.body(null, 304, headers);
  return c.body(text, 200, { ...headers, "content-type": "application/json" });
}

/** A name as a header can carry it: what is not plain ASCII, and the comma between names, in percent encoding. */
export function headerText(name: string): string {
  return name.replace(/[^\x20-\x7e]|[,%]/gu, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : "?"),
  );
}
