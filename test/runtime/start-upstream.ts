import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { handleRequest } from "../fixtures/handle-request.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A provider whose answers the tests write themselves; see test/runtime/scripted-answer.ts. */
    upstreamUrl: string;
  }
}

interface Answer {
  body: unknown;
  response: ServerResponse;
  isOver: boolean;
}

/**
 * A provider of one model, `scripted`. The last user message names the answer; `/control/<name>` waits for its request,
 * writes text into it, breaks it off, ends it, and says whether the caller is still there.
 */
export default async function startUpstream(project: TestProject): Promise<() => Promise<void>> {
  const answers = new Map<string, Answer>();
  const server = createServer(
    handleRequest(async (request, response) => {
      const { pathname } = new URL(request.url!, "http://upstream");
      const json = (status: number, value: unknown) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(value));
      };
      if (pathname === "/v1/models") return json(200, { object: "list", data: [{ id: "scripted", object: "model" }] });
      if (pathname === "/v1/chat/completions") {
        const body = JSON.parse(await text(request)) as {
          stream?: boolean;
          messages: { role: string; content: string }[];
        };
        if (!body.stream) {
          const message = { role: "assistant", content: '<think>hm</think>\n"**Title: Of harbours.**"' };
          return json(200, {
            id: "c",
            object: "chat.completion",
            choices: [{ index: 0, message, finish_reason: "stop" }],
          });
        }
        const name = body.messages.findLast((message) => message.role === "user")!.content;
        if (name.startsWith("refuse"))
          return json(429, { error: { message: "Slow down", type: "rate_limit_error", code: "rate_limited" } });
        response.writeHead(200, { "content-type": "text/event-stream" });
        const answer = { body, response, isOver: false };
        response.once("close", () => (answer.isOver = true));
        answers.set(name, answer);
        return undefined;
      }
      const answer = answers.get(decodeURIComponent(pathname.replace("/control/", "")));
      if (!answer) return json(404, {});
      if (request.method === "POST") {
        const { send, reasoning, finish, cut } = JSON.parse(await text(request)) as {
          send?: string;
          reasoning?: string;
          finish?: boolean;
          cut?: boolean;
        };
        const chunk = (delta: object, finish_reason: string | null) =>
          `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model: "scripted", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
        if (reasoning !== undefined) answer.response.write(chunk({ reasoning_content: reasoning }, null));
        if (send !== undefined) answer.response.write(chunk({ content: send }, null));
        if (finish)
          answer.response.end(
            `${chunk({}, "stop")}data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":3,"total_tokens":5}}\n\ndata: [DONE]\n\n`,
          );
        if (cut) answer.response.destroy();
      }
      return json(200, { body: answer.body, isOver: answer.isOver });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("upstreamUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
