import * as z from "zod";
import { requireAdmin } from "../access.ts";
import { answers, jsonBody } from "../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../http/routes.ts";
import { streamArray } from "../http/stream-array.ts";
import { idParam } from "../people/schema.ts";
import { deleteAllFeedback, deleteOwnFeedback } from "./delete-all-feedback.ts";
import { exportFeedback, exportFeedbackCsv } from "./export-feedback.ts";
import { getFeedback, listFeedback, listFeedbackIds, listOwnFeedback, listRatedModels } from "./list-feedback.ts";
import { changeFeedback, deleteFeedback, rateAnswer } from "./rate-answer.ts";
import { requireRating } from "./require-rating.ts";
import {
  feedbackChange,
  feedbackFilter,
  feedbackId,
  feedbackPage,
  feedbackQuery,
  feedbackSummary,
  feedbackView,
  newFeedback,
  ownFeedbackQuery,
  summaryQuery,
} from "./schema.ts";
import { summarizeFeedback } from "./summarize-feedback.ts";

const base = "/api/v1/evaluations";
const unknown = { 404: { description: "No such rating of the caller" } };
/** A conversation goes along with a rating. */
const maxBody = 2_500_000;

const give = defineRoute({
  method: "post",
  path: `${base}/feedback`,
  requires: requireRating,
  maxBody,
  mendsTexts: true,
  summary: "Rate an answer; rating the same answer again changes the rating",
  request: jsonBody(newFeedback),
  responses: {
    ...answers("The rating", feedbackView),
    404: { description: "The message is not the caller's" },
    409: { description: "The caller has as many as they can have" },
  },
});
const get = defineRoute({
  method: "get",
  path: `${base}/feedback/{id}`,
  summary: "Get one of the caller's ratings; system administrators can get everyone's",
  request: { params: idParam },
  responses: { ...answers("The rating", feedbackView), ...unknown },
});
const change = defineRoute({
  method: "post",
  path: `${base}/feedback/{id}`,
  requires: requireRating,
  maxBody,
  mendsTexts: true,
  summary: "Change one of the caller's ratings",
  request: { params: idParam, ...jsonBody(feedbackChange) },
  responses: { ...answers("The rating", feedbackView), ...unknown },
});
const remove = defineRoute({
  method: "delete",
  path: `${base}/feedback/{id}`,
  summary: "Delete one of the caller's ratings; system administrators can delete everyone's",
  request: { params: idParam },
  responses: { ...answers("Done", z.literal(true)), ...unknown },
});
const own = defineRoute({
  method: "get",
  path: `${base}/feedbacks/user`,
  summary: "The caller's ratings, last changed first",
  request: { query: ownFeedbackQuery },
  responses: answers("A page of 30", feedbackPage),
});
const removeOwn = defineRoute({
  method: "delete",
  path: `${base}/feedbacks`,
  summary: "Delete all ratings of the caller",
  responses: answers("Whether there were any", z.boolean()),
});
const list = defineRoute({
  method: "get",
  path: `${base}/feedbacks/list`,
  requires: requireAdmin,
  summary: "Everyone's ratings (system administrators)",
  request: { query: feedbackQuery },
  responses: answers("A page of 30", feedbackPage),
});
const models = defineRoute({
  method: "get",
  path: `${base}/feedbacks/models`,
  requires: requireAdmin,
  summary: "The ids of models that have ratings (system administrators)",
  responses: answers("Ids", z.array(z.string())),
});
const ids = defineRoute({
  method: "get",
  path: `${base}/feedbacks/all/ids`,
  requires: requireAdmin,
  summary: "The ids of all ratings, last changed first (system administrators)",
  responses: answers("Ids", z.array(feedbackId)),
});
const removeAll = defineRoute({
  method: "delete",
  path: `${base}/feedbacks/all`,
  requires: requireAdmin,
  summary: "Delete everyone's ratings (system administrators)",
  responses: answers("Whether there were any", z.boolean()),
});
const summary = defineRoute({
  method: "get",
  path: `${base}/summary`,
  requires: requireAdmin,
  summary: "Ratings by model and by day (system administrators)",
  request: { query: summaryQuery },
  responses: answers("Counts", feedbackSummary),
});
const exported = defineRoute({
  method: "get",
  path: `${base}/feedbacks/all/export`,
  requires: requireAdmin,
  summary: "Everyone's ratings with the conversations that their owners share, newest first (system administrators)",
  request: { query: feedbackFilter },
  responses: answers("The ratings", z.array(feedbackView)),
});
const csv = defineRoute({
  method: "get",
  path: `${base}/feedbacks/all/export/csv`,
  requires: requireAdmin,
  summary: "Everyone's ratings as a CSV file, without conversations (system administrators)",
  request: { query: feedbackFilter },
  responses: { 200: { description: "The CSV file, newest first", content: { "text/csv": { schema: z.string() } } } },
});

/** What people say about answers. Paths and shapes as in Open WebUI. */
export function feedbackRoutes() {
  const router = createRouter();
  router.openapi(give, async (c) => c.json(await rateAnswer(contextOf(c), c.req.valid("json")), 200));
  router.openapi(get, async (c) => c.json(await getFeedback(contextOf(c), c.req.valid("param").id), 200));
  router.openapi(change, async (c) =>
    c.json(await changeFeedback(contextOf(c), c.req.valid("param").id, c.req.valid("json")), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteFeedback(contextOf(c), c.req.valid("param").id);
    return c.json(true as const, 200);
  });
  router.openapi(own, async (c) => c.json(await listOwnFeedback(contextOf(c), c.req.valid("query").page), 200));
  router.openapi(removeOwn, async (c) => c.json(await deleteOwnFeedback(contextOf(c)), 200));
  router.openapi(list, async (c) => c.json(await listFeedback(contextOf(c), c.req.valid("query")), 200));
  router.openapi(models, async (c) => c.json(await listRatedModels(contextOf(c)), 200));
  router.openapi(ids, async (c) => c.json(await listFeedbackIds(contextOf(c)), 200));
  router.openapi(removeAll, async (c) => c.json(await deleteAllFeedback(contextOf(c)), 200));
  router.openapi(summary, async (c) => c.json(await summarizeFeedback(contextOf(c), c.req.valid("query")), 200));
  router.openapi(
    exported,
    async (c) =>
      streamArray(await exportFeedback(contextOf(c), c.req.valid("query")), c.req.header("accept-encoding")) as never,
  );
  router.openapi(csv, async (c) => {
    const ctx = contextOf(c);
    const day = new Date(ctx.now() * 1000).toISOString().slice(0, 10);
    return c.body(await exportFeedbackCsv(ctx, c.req.valid("query")), 200, {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="ratings-${day}.csv"`,
      "cache-control": "no-store",
    });
  });
  return router;
}
