import { requireAdmin } from "../access.ts";
import { viewOf } from "../documents/files/file-view.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { requireWebSearch } from "./may-search-web.ts";
import { attachPage, requireWebUpload } from "./pages/attach-page.ts";
import {
  attachedPage,
  pageToAttach,
  searchTrial,
  searchTrialResult,
  webSearchAnswer,
  webSearchRequest,
} from "./schema.ts";
import { answerSearch } from "./search/answer-search.ts";
import { trySearch } from "./search/try-search.ts";

const attach = defineRoute({
  method: "post",
  path: "/api/v1/retrieval/process/web",
  requires: requireWebUpload,
  rate: "uploads",
  summary: "Store a page of the web as a file of the caller, which is then read like an upload",
  request: jsonBody(pageToAttach),
  responses: {
    ...answers("The file", attachedPage),
    400: { description: "The page cannot be had, with the reason" },
    413: { description: "The page is too large, or the caller's storage is full" },
  },
});

const search = defineRoute({
  method: "post",
  path: "/api/v1/retrieval/process/web/search",
  requires: requireWebSearch,
  rate: "searches",
  summary: "Search the web, and read the pages that were found",
  request: jsonBody(webSearchRequest),
  responses: {
    ...answers("Results and texts of pages", webSearchAnswer),
    502: { description: "The provider of the search does not answer" },
  },
});

const trial = defineRoute({
  method: "post",
  path: "/api/v1/retrieval/web/try",
  requires: requireAdmin,
  summary: "Try the provider of web search (administrators)",
  request: jsonBody(searchTrial),
  responses: answers("What it found, or why it failed", searchTrialResult),
});

export function webRoutes() {
  const router = createRouter();
  router.openapi(attach, async (c) => {
    const { url, collection_name: name } = c.req.valid("json");
    const asked = { url, knowledgeId: name || undefined, signal: c.req.raw.signal };
    const file = viewOf(await attachPage(contextOf(c), asked));
    const { id, filename } = file;
    return c.json({ status: true as const, collection_name: `file-${id}`, filename, file }, 200);
  });
  router.openapi(search, async (c) =>
    c.json(await answerSearch(contextOf(c), c.req.valid("json").queries, c.req.raw.signal), 200),
  );
  router.openapi(trial, async (c) =>
    c.json(await trySearch(contextOf(c), c.req.valid("json").query, c.req.raw.signal), 200),
  );
  return router;
}
