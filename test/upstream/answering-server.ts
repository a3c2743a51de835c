import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { type ReadAnswerOptions, readUpstreamAnswer } from "../../src/upstream/answers/read-upstream-answer.ts";
import { UpstreamError } from "../../src/upstream/errors/upstream-error.ts";
import { handleRequest } from "../fixtures/handle-request.ts";

/** An HTTP server that does nothing but hand chat completions through `readUpstreamAnswer`. */
export async function startAnsweringServer(upstream: string, key: string, more: Partial<ReadAnswerOptions> = {}) {
  const http = createServer(
    handleRequest(async (request, response) => {
      let text = "";
      for await (const piece of request.setEncoding("utf8")) text += String(piece);
      const body = JSON.parse(text) as {
        model: string;
        stream?: boolean;
        stream_options?: { include_usage?: boolean };
      };
      const caller = new AbortController();
      const outbound = new AbortController();
      response.on("close", () => caller.abort(new Error("the caller left")));
      const asked = fetch(`${upstream}/chat/completions`, {
        method: "POST",
        redirect: "manual",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: text,
        signal: outbound.signal,
      });
      try {
        const answer = await readUpstreamAnswer(asked, {
          stream: body.stream === true,
          includeUsage: body.stream_options?.include_usage,
          model: body.model,
          secrets: [key],
          signal: caller.signal,
          onCancel: (reason) => outbound.abort(reason),
          ...more,
        });
        if (answer.kind === "json") {
          response.writeHead(200, { ...Object.fromEntries(answer.headers), "content-type": "application/json" });
          response.end(answer.body);
          return;
        }
        response.writeHead(200, { ...Object.fromEntries(answer.headers), "content-type": "text/event-stream" });
        response.flushHeaders();
        const readable = Readable.from(answer.body);
        readable.on("error", () => response.destroy());
        readable.pipe(response);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        const headers = { ...Object.fromEntries(error.headers), "content-type": "application/json" };
        response.writeHead(error.status, error.retryAfter ? { ...headers, "retry-after": error.retryAfter } : headers);
        response.end(JSON.stringify(error.toOpenAiError()));
      }
    }),
  );
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
