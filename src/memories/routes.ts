import * as z from "zod";
import { requireAdmin } from "../access.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { idParam } from "../people/schema.ts";
import { reindexMemories, resetMemories } from "./embed-memories.ts";
import { queryMemories } from "./find-memories.ts";
import {
  addMemory,
  changeMemory,
  deleteMemories,
  deleteMemory,
  getPath,
  listMemories,
  listPaths,
  searchMemories,
} from "./memories.ts";
import { requireMemories } from "./require-memories.ts";
import {
  memoryChange,
  memoryMatches,
  memoryOperations,
  memoryQuery,
  memorySearch,
  memoryView,
  newMemory,
  operationResult,
  pathContent,
  pathGroups,
  pathQuery,
  pathReading,
  reindexed,
} from "./schema.ts";
import { updateMemories } from "./update-memories.ts";

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
  request: jsonBody(newMemory),
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
const updateSeveral = defineRoute({
  method: "post",
  path: `${base}/update`,
  summary: "Add, replace, move and remove several memories, all or none",
  request: jsonBody(memoryOperations),
  responses: {
    ...answers("What became of each, in the same order", z.array(operationResult)),
    ...unknown,
    409: { description: "The caller would have more than they may have" },
  },
});
const search = defineRoute({
  method: "post",
  path: `${base}/search`,
  rate: "searches",
  summary: "Find memories that have certain words, or belong to a path",
  request: jsonBody(memorySearch),
  responses: answers("The nearest to the path first, else the last changed", z.array(memoryView)),
});
const paths = defineRoute({
  method: "post",
  path: `${base}/paths`,
  rate: "searches",
  summary: "List the paths of the caller's memories",
  request: jsonBody(pathQuery),
  responses: answers("Last changed first", pathGroups),
});
const atPath = defineRoute({
  method: "post",
  path: `${base}/path`,
  rate: "searches",
  summary: "Read the memories at a path, below it and above it",
  request: jsonBody(pathReading),
  responses: answers("The memories", pathContent),
});
const reindex = defineRoute({
  method: "post",
  path: `${base}/reindex`,
  requires: requireAdmin,
  summary:
    "Delete the vectors of everyone's memories; they are made again when they are next searched (system administrators)",
  responses: answers("How many there are", reindexed),
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
  request: { params: idParam, ...jsonBody(memoryChange) },
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
  router.openapi(add, async (c) => c.json(await addMemory(contextOf(c), c.req.valid("json")), 200));
  router.openapi(query, async (c) => c.json(await queryMemories(contextOf(c), c.req.valid("json")), 200));
  router.openapi(updateSeveral, async (c) =>
    c.json(await updateMemories(contextOf(c), c.req.valid("json").operations), 200),
  );
  router.openapi(search, async (c) => c.json(await searchMemories(contextOf(c), c.req.valid("json")), 200));
  router.openapi(paths, async (c) => c.json(await listPaths(contextOf(c), c.req.valid("json")), 200));
  router.openapi(atPath, async (c) => c.json(await getPath(contextOf(c), c.req.valid("json")), 200));
  router.openapi(reindex, async (c) => {
    const { people, memories } = await reindexMemories(contextOf(c));
    return c.json({ status: true as const, total_users: people, total_memories: memories }, 200);
  });
  router.openapi(reset, async (c) => {
    await resetMemories(contextOf(c));
    return c.json(true as const, 200);
  });
  router.openapi(removeAll, async (c) => {
    await deleteMemories(contextOf(c));
    return c.json(true as const, 200);
  });
  router.openapi(update, async (c) =>
    c.json(await changeMemory(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteMemory(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  return router;
}
