import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { queryCollections } from "./query-collections.ts";
import { queryCollection, queryDoc, queryResult } from "./schema.ts";

const responses = {
  ...answers("The best matching passages", queryResult),
  404: { description: "No such collection, or no access to it" },
};
const doc = defineRoute({
  method: "post",
  path: "/api/v1/retrieval/query/doc",
  summary: "Search one file (file-<id>) or knowledge base for passages that match a question",
  request: jsonBody(queryDoc),
  responses,
});
const collection = defineRoute({
  method: "post",
  path: "/api/v1/retrieval/query/collection",
  summary: "Search several files (file-<id>) and knowledge bases for passages that match a question",
  request: jsonBody(queryCollection),
  responses,
});

export function retrievalRoutes() {
  const router = createRouter({ rate: "searches" });
  router.openapi(doc, async (c) => {
    const { collection_name: name, ...input } = c.req.valid("json");
    return c.json(await queryCollections(contextOf(c), { names: [name], ...input }, c.req.raw.signal), 200);
  });
  router.openapi(collection, async (c) => {
    const { collection_names: names, ...input } = c.req.valid("json");
    return c.json(await queryCollections(contextOf(c), { names, ...input }, c.req.raw.signal), 200);
  });
  return router;
}
