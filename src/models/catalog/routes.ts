import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { requireAdmin } from "../../access.ts";
import { AppError } from "../../errors.ts";
import { encodingFor } from "../../http/compress-answers.ts";
import { answers } from "../../http/json-route.ts";
import { type AppEnvironment, contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { usageNow as usageNowSchema } from "../../usage/schema.ts";
import { listModels, listProvidedModels, type ModelListing } from "./list-models.ts";
import { isMessagesClient, messagesList, messagesModel } from "./messages-list.ts";
import { renderModelsError } from "./render-models-error.ts";
import { messagesModelEntry, messagesModelList, modelEntry, modelList } from "./schema.ts";
import { usageNow } from "./usage-now.ts";

const query = z.object({
  /** Asks all providers now instead of using lists that are a few seconds old. */
  refresh: z.stringbool().optional(),
  /**
   * Pages for clients of the Messages API (those that send its version in `anthropic-version`); others get everything.
   */
  limit: z.string().max(20).optional(),
  after_id: z.string().max(600).optional(),
  before_id: z.string().max(600).optional(),
});
const listed = {
  ...answers(
    "The models; `x-parley-unreachable` lists connections whose models are missing",
    z.union([modelList, messagesModelList]),
  ),
  304: { description: "Not modified" },
};

/** `/api/models`, and the addresses for SDKs with `/api/v1` as their base. */
const plainPaths = ["/api/models", "/api/v1/models"] as const;
const paths = ["/api/models", "/api/models/", "/api/v1/models", "/api/v1/models/"] as const;
const onePaths = ["/api/models/{id}", "/api/v1/models/{id}"] as const;

const base = defineRoute({
  method: "get",
  path: "/api/models/base",
  requires: requireAdmin,
  summary: "All models of all providers, hidden ones too (administrators)",
  request: { query },
  responses: listed,
});
const one = {
  method: "get",
  siblings: onePaths,
  summary: "Get a model",
  request: { params: z.object({ id: z.string().min(1).max(600) }) },
  responses: answers(
    "The model; in the format of the Messages API if the client sends that API's version",
    z.union([modelEntry, messagesModelEntry]),
  ),
} as const;
const inUse = defineRoute({
  method: "get",
  path: "/api/usage",
  summary: "How many people are active, and which models are in use",
  responses: answers("Now", usageNowSchema),
});

export function catalogRoutes() {
  const router = createRouter({ dialect: renderModelsError, takesXApiKey: isMessagesClient, owns: plainPaths });
  for (const path of paths) {
    router.openapi(
      defineRoute({
        method: "get",
        path,
        siblings: plainPaths,
        summary: "Level 2: the models that the caller can use",
        request: { query },
        responses: listed,
      }),
      async (c) => {
        const { refresh, limit, after_id: afterId, before_id: beforeId } = c.req.valid("query");
        const listing = await listModels(contextOf(c), { refresh: refresh === true, direct: true });
        if (!isMessagesClient(c.req.raw.headers)) return answerList(c, listing);
        return answerText(
          c,
          listing,
          JSON.stringify(messagesList(listing.models, { limit: pageSize(limit), afterId, beforeId })),
        );
      },
    );
  }
  router.openapi(inUse, async (c) => c.json(await usageNow(contextOf(c)), 200));
  router.openapi(base, async (c) => {
    requireAdmin(contextOf(c));
    return answerList(c, await listProvidedModels(contextOf(c), { refresh: c.req.valid("query").refresh === true }));
  });
  for (const path of onePaths) {
    router.openapi(defineRoute({ ...one, path }), async (c) => {
      const { id } = c.req.valid("param");
      const { models } = await listModels(contextOf(c), { direct: true });
      const found = models.find((model) => model.id === id);
      if (!found)
        throw new AppError(
          "model_not_found",
          `The model ${JSON.stringify(id)} does not exist, or you have no access to it`,
          { param: "model" },
        );
      return isMessagesClient(c.req.raw.headers) ? c.json(messagesModel(found), 200) : c.json(found, 200);
    });
  }
  return router;
}

/** The dialect's default if the number is missing or invalid. */
function pageSize(said: string | undefined): number {
  const limit = Number(said ?? 20);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, 1000) : 20;
}

function answerList(c: HonoContext<AppEnvironment>, listing: ModelListing) {
  return answerText(c, listing, JSON.stringify({ object: "list", data: listing.models }));
}

/** With an ETag, so that polling clients transfer only changes. */
async function answerText(c: HonoContext<AppEnvironment>, { unreachable }: ModelListing, text: string) {
  const etag = `W/"${(await sha256Hex(text)).slice(0, 32)}"`;
  const headers = {
    "cache-control": "private, no-cache",
    etag,
    vary: "anthropic-version, accept-encoding",
    ...(unreachable.length > 0 ? { "x-parley-unreachable": unreachable.map(headerText).join(", ") } : {}),
  };
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((part) => part.trim());
  if (known?.includes(etag)) return c.body(null, 304, headers);
  const encoding = encodingFor(c.req.header("accept-encoding"), text.length);
  return c.body(text, 200, { ...encoding, ...headers, "content-type": "application/json" });
}

/** A name in a header: non-ASCII characters and commas are percent-encoded. */
export function headerText(name: string): string {
  return name.replace(/[^\x20-\x7e]|[,%]/gu, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : "?"),
  );
}
