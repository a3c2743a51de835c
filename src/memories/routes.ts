import * as z from "zod";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { idParam } from "../people/schema.ts";
import { resetMemories } from "./embed-memories.ts";
import { queryMemories } from "./find-memories.ts";
import { addMemory, changeMemory, deleteMemories, deleteMemory, listMemories } from "./memories.ts";
import { requireMemories } from "./require-memories.ts";
import { memoryMatches, memoryQuery, memoryText, memoryView } from "./schema.ts";

const base = "/api/v1/memories";
const unknown = { 404: { description: "No such memory of the caller" } };

const list = (path: string) =>
  defineRoute({
    method: "get",
    path,
    summary: "All memories of the caller, last changed first",
    responses: answers("Memories", z.array(memoryView)),
  });
const add = defineRoute({
  method: "post",
  path: `${base}/add`,
  summary: "Add a memory",
  request: jsonBody(memoryText),
  responses: { ...answers("The memory", memoryView), 409: { description: "The caller has as many as they may have" } },
});
const query = defineRoute({
  method: "post",
  path: `${base}/query`,
  rate: "searches",
  summary: "Find the memories that fit a text best",
  request: jsonBody(memoryQuery),
  responses: { ...answers("The best first", memoryMatches), 404: { description: "The caller has no memories" } },
});
const reset = defineRoute({
  method: "post",
  path: `${base}/reset`,
  summary: "Make the vectors of all memories of the caller again",
  responses: answers("Done", z.literal(true)),
});
const removeAll = defineRoute({
  method: "delete",
  path: `${base}/delete/user`,
  summary: "Delete all memories of the caller",
  responses: answers("Done", z.literal(true)),
});
const update = defineRoute({
  method: "post",
  path: `${base}/{id}/update`,
  summary: "Change a memory",
  request: { params: idParam, ...jsonBody(memoryText) },
  responses: { ...answers("The memory", memoryView), ...unknown },
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/{id}`,
  summary: "Delete a memory",
  request: { params: idParam },
  responses: { ...answers("Done", z.literal(true)), ...unknown },
});

/** What people want models to remember about them. Paths and shapes as in Open WebUI. */
export function memoryRoutes() {
  const router = createRouter({ requires: requireMemories });
  for (const path of [base, `${base}/`])
    router.openapi(list(path), async (c) => c.json(await listMemories(contextOf(c)), 200));
  router.openapi(add, async (c) => c.json(await addMemory(contextOf(c), c.req.valid("json").content), 200));
  router.openapi(query, async (c) => c.json(await queryMemories(contextOf(c), c.req.valid("json")), 200));
  router.openapi(reset, async (c) => {
    await resetMemories(contextOf(c));
    return c.json(true as const, 200);
  });
  router.openapi(removeAll, async (c) => {
    await deleteMemories(contextOf(c));
    return c.json(true as const, 200);
  });
  router.openapi(update, async (c) =>
    c.json(await changeMemory(contextOf(c), c.req.valid("param").id, c.req.valid("json").content), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteMemory(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
