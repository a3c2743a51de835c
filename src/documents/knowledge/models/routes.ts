import { createRoute } from "@hono/zod-openapi";
import * as z from "zod";
import { contextOf, createRouter } from "../../../http/routes.ts";
import { answer, body } from "../route-parts.ts";
import { getModelKnowledge, setModelKnowledge } from "./model-knowledge.ts";
import { modelKnowledgeChange, modelKnowledgeView } from "./schema.ts";

const path = "/api/v1/models/model/knowledge";
const query = z.object({ id: z.string().min(1).max(256) });
const refused = {
  403: { description: "The caller may only use the model" },
  404: { description: "No such model for the caller" },
};

const get = createRoute({
  method: "get",
  path,
  summary: "What a model looks things up in: for everyone, and for organizations that the caller administers",
  request: { query },
  responses: { ...answer("As far as the caller may say it", modelKnowledgeView), ...refused },
});
const set = createRoute({
  method: "post",
  path,
  summary: "Say what a model looks things up in. Everybody finds only what they may read themselves",
  request: { query, ...body(modelKnowledgeChange) },
  responses: { ...answer("As it is now", modelKnowledgeView), ...refused },
});

export function modelKnowledgeRoutes() {
  const router = createRouter();
  router.openapi(get, async (c) => c.json(await getModelKnowledge(contextOf(c), c.req.valid("query").id), 200));
  router.openapi(set, async (c) =>
    c.json(await setModelKnowledge(contextOf(c), c.req.valid("query").id, c.req.valid("json")), 200),
  );
  return router;
}
