import * as z from "zod";
import { largeBody, readJson } from "../../http/body.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { renderOpenAiError } from "../../http/render-openai-error.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { answerResponses } from "./answer-responses.ts";
import {
  deletedResponse,
  inputItems,
  inputItemsQuery,
  openAiError,
  responseObject,
  responseQuery,
  responsesRequest,
} from "./schema.ts";
import { deleteResponse, getResponse, listInputItems } from "./stored-responses.ts";

/** The same under both; SDKs' base is `{base}/api` or `{base}/api/v1`. */
export const responsesPaths = ["/api/responses", "/api/v1/responses"] as const;

const failing = (description: string) => ({ description, content: { "application/json": { schema: openAiError } } });
const errors = {
  400: failing("Not supported"),
  404: failing("Unknown model or response"),
  422: failing("Invalid input"),
  502: failing("The provider failed"),
};
const answering = {
  method: "post",
  rate: "models",
  readsBody: true,
  maxBody: largeBody,
  siblings: responsesPaths,
  summary: "Responses API",
  description:
    "OpenAI-compatible, with and without streaming, for every model. Stored for 30 days unless `store` is `false`, so that `previous_response_id` can continue from it.",
  request: jsonBody(responsesRequest),
  responses: {
    200: {
      description: "The response, or a stream of its events",
      content: { "application/json": { schema: responseObject }, "text/event-stream": { schema: z.string() } },
    },
    ...errors,
  },
} as const;

const params = z.object({ id: z.string().min(1).max(200) });
const onePaths = responsesPaths.map((path) => `${path}/{id}`);
const one = (path: string) => ({ path: `${path}/{id}`, request: { params }, siblings: onePaths });

const getOne = (path: string) =>
  defineRoute({
    ...one(path),
    method: "get",
    summary: "Get a stored response",
    request: { params, query: responseQuery },
    responses: {
      ...answers("The response as it was sent", responseObject),
      404: errors[404],
    },
  });
const deleteOne = (path: string) =>
  defineRoute({
    ...one(path),
    method: "delete",
    summary: "Delete a stored response",
    responses: {
      ...answers("Deleted", deletedResponse),
      404: errors[404],
    },
  });
const listItems = (path: string) =>
  defineRoute({
    method: "get",
    path: `${path}/{id}/input_items`,
    siblings: onePaths.map((each) => `${each}/input_items`),
    summary: "The input items of a stored response",
    request: { params, query: inputItemsQuery },
    responses: {
      ...answers("A page of items", inputItems),
      404: errors[404],
    },
  });

/**
 * Bodies of new responses are read here, with a limit of their own, because they are passed on to the model in full.
 */
export function responsesRoutes() {
  const router = createRouter({ dialect: renderOpenAiError, owns: responsesPaths });
  for (const path of responsesPaths) {
    router.raw({ ...answering, path }, async (c) => {
      const { raw } = c.req;
      const since = Date.now();
      const body = await readJson(c);
      return answerResponses(contextOf(c), body, { signal: raw.signal, since });
    });
    router.openapi(getOne(path), async (c) => {
      const { include, "include[]": listed } = c.req.valid("query");
      const showsMarks = [include, listed].flat().includes("reasoning.encrypted_content");
      const response = await getResponse(contextOf(c), c.req.valid("param").id, { showsMarks });
      return c.json(response as z.output<typeof responseObject>, 200);
    });
    router.openapi(deleteOne(path), async (c) => {
      const { id } = c.req.valid("param");
      await deleteResponse(contextOf(c), id);
      return c.json({ id, object: "response" as const, deleted: true as const }, 200);
    });
    router.openapi(listItems(path), async (c) => {
      const { data, hasMore } = await listInputItems(contextOf(c), c.req.valid("param").id, c.req.valid("query"));
      const ids = data.map((item) => String(item["id"]));
      const [first = null] = ids;
      return c.json(
        { object: "list" as const, data, first_id: first, last_id: ids.at(-1) ?? null, has_more: hasMore },
        200,
      );
    });
  }
  return router;
}
