import * as z from "zod";
import { contextOf, createRouter } from "../../../http/routes.ts";
import { defineRoute } from "../../../http/routes.ts";
import { answer, body } from "../knowledge-route-parts.ts";
import { getModelKnowledge, setModelKnowledge } from "./model-knowledge.ts";
import { modelKnowledgeChange, modelKnowledgeView } from "./schema.ts";

const path = "/api/v1/models/model/knowledge";
const query = z.object({ id: z.string().min(1).max(256) });
const refused = {
  403: { description: "The caller can use the model but not change it" },
  404: { description: "No such model, or no access to it" },
};

const get = defineRoute({
  method: "get",
  path,
  summary: "The knowledge of a model: for everyone, and for organizations that the caller administers",
  request: { query },
  responses: { ...answer("The parts that the caller may set", modelKnowledgeView), ...refused },
});
const set = defineRoute({
  method: "post",
  path,
  summary: "Set the knowledge of a model. People find only what they can read themselves",
  request: { query, ...body(modelKnowledgeChange) },
  responses: { ...answer("The updated knowledge", modelKnowledgeView), ...refused },
});

export function modelKnowledgeRoutes() {
  const router = createRouter();
  router.openapi(get, async (c) => c.json(await getModelKnowledge(contextOf(c), c.req.valid("query").id), 200));
  router.openapi(set, async (c) =>
    c.json(await setModelKnowledge(contextOf(c), c.req.valid("query").id, c.req.valid("json")), 200),
  );
  return router;
}
