import * as z from "zod";
import { largeBody } from "../../http/body.ts";
import { answers, jsonBody } from "../../http/json-route.ts";
import { contextOf, createRouter, defineRoute } from "../../http/routes.ts";
import { chatsPath as base } from "../conversations/chat-route-parts.ts";
import { postEvent } from "./post-event.ts";
import { answerQuestion, listQuestions } from "./questions.ts";
import { answerBody, questionList, eventBody } from "./schema.ts";

const done = answers("Done", z.literal(true));

/** Events of external tools, and open questions to a person. */
export function chatEventRoutes() {
  const router = createRouter({ maxBody: largeBody, mendsTexts: true });

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/{chat_id}/messages/{message_id}/event`,
      summary: "Send an event to one of the caller's messages: status, text, files, sources and so on",
      request: { params: z.object({ chat_id: z.string(), message_id: z.string() }), ...jsonBody(eventBody) },
      responses: done,
    }),
    async (c) => {
      const { chat_id: chatId, message_id: messageId } = c.req.valid("param");
      await postEvent(contextOf(c), chatId, messageId, c.req.valid("json"));
      return c.json(true as const, 200);
    },
  );

  router.openapi(
    defineRoute({
      method: "get",
      path: `${base}/calls`,
      summary: "Questions of plugins that wait for the caller's answer",
      responses: answers("The questions, in the format of the live socket", questionList),
    }),
    async (c) => c.json({ calls: await listQuestions(contextOf(c)) }, 200),
  );

  router.openapi(
    defineRoute({
      method: "post",
      path: `${base}/calls/{call_id}/answer`,
      summary: "Answer a question of a plugin; the first answer counts",
      request: { params: z.object({ call_id: z.string() }), ...jsonBody(answerBody) },
      responses: done,
    }),
    async (c) => {
      await answerQuestion(contextOf(c), c.req.valid("param").call_id, c.req.valid("json"));
      return c.json(true as const, 200);
    },
  );

  return router;
}
