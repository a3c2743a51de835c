import * as z from "zod";
import { largeBody, readJson } from "../../http/body.ts";
import { renderMessagesError } from "../../http/render-messages-error.ts";
import { contextOf, createRouter } from "../../http/routes.ts";
import { answerMessages } from "./answer-messages.ts";
import { countTokens } from "./count-tokens.ts";
import { countRequest, messagesAnswer, messagesError, messagesRequest, tokenCount } from "./schema.ts";

/** SDKs of the dialect append `/v1/messages` to their base, which is `{base}/api`; the first one is the contract's. */
export const messagesPaths = ["/api/message", "/api/messages", "/api/v1/messages"] as const;
const countPaths = messagesPaths.map((path) => `${path}/count_tokens`);

const errors = {
  400: { description: "Invalid input", content: { "application/json": { schema: messagesError } } },
  404: { description: "Unknown model", content: { "application/json": { schema: messagesError } } },
  502: { description: "The provider failed", content: { "application/json": { schema: messagesError } } },
};
const answering = {
  method: "post",
  summary: "Messages API",
  description:
    "Anthropic-compatible, streaming and not, for every model. `Authorization: Bearer` or `x-api-key`. Models of a provider that speaks the dialect get the request as it is.",
  request: { body: { content: { "application/json": { schema: messagesRequest } }, required: true } },
  responses: {
    200: {
      description: "The answer, or a stream of its events",
      content: { "application/json": { schema: messagesAnswer }, "text/event-stream": { schema: z.string() } },
    },
    ...errors,
  },
} as const;
const counting = {
  method: "post",
  summary: "Count the tokens of a Messages request",
  description: "The provider's count, or an estimate; an estimate is marked by the header `x-parley-estimated`.",
  request: { body: { content: { "application/json": { schema: countRequest } }, required: true } },
  responses: {
    200: { description: "The count", content: { "application/json": { schema: tokenCount } } },
    ...errors,
  },
} as const;

/** Bodies are read here, with a limit of their own, because they are passed on to the model in full. */
export function messagesRoutes() {
  const router = createRouter({
    dialect: renderMessagesError,
    takesXApiKey: () => true,
    rate: "models",
    readsBody: true,
    maxBody: largeBody,
    owns: [...messagesPaths, "/api/v1/message"],
  });
  for (const path of messagesPaths) {
    router.raw({ ...answering, path, siblings: messagesPaths }, async (c) => {
      const { raw } = c.req;
      const since = Date.now();
      const body = await readJson(c);
      return answerMessages(contextOf(c), body, { signal: raw.signal, since, headers: raw.headers });
    });
    router.raw({ ...counting, path: `${path}/count_tokens`, siblings: countPaths }, async (c) => {
      const { raw } = c.req;
      const since = Date.now();
      const body = await readJson(c);
      return countTokens(contextOf(c), body, { signal: raw.signal, since, headers: raw.headers });
    });
  }
  return router;
}
