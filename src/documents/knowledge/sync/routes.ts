import * as z from "zod";
import { largeBody } from "../../../http/body.ts";
import { contextOf, defineRoute, type Router } from "../../../http/routes.ts";
import { answer, base, body, none, params } from "../knowledge-route-parts.ts";
import { cleanUpKnowledge } from "./cleanup.ts";
import { diffKnowledge } from "./diff.ts";
import { cleaned, cleanupBody, diffBody, peerDiff, syncDiff } from "./schema.ts";

const diff = defineRoute({
  method: "post",
  path: `${base}/{id}/sync/diff`,
  maxBody: largeBody,
  summary: "Compare a source with a knowledge base: which files to upload and which to remove. Changes nothing",
  request: { params, ...body(diffBody) },
  responses: {
    ...answer("The difference; with `manifest`, in Open WebUI's format", z.union([syncDiff, peerDiff])),
    ...none,
  },
});
const cleanup = defineRoute({
  method: "post",
  path: `${base}/{id}/sync/cleanup`,
  maxBody: largeBody,
  summary: "Remove files and empty directories from a knowledge base",
  request: { params, ...body(cleanupBody) },
  responses: { ...answer("How many were removed", cleaned), ...none },
});

export function addSyncRoutes(router: Router): void {
  router.openapi(diff, async (c) =>
    c.json(await diffKnowledge(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(cleanup, async (c) =>
    c.json(await cleanUpKnowledge(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
}
