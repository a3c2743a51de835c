import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { handleRequest } from "../../fixtures/handle-request.ts";

export interface Upstream {
  url: string;
  /** `host:port` */
  host: string;
  stop(): Promise<void>;
}

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
const events = (response: ServerResponse, lines: string[]) =>
  response.writeHead(200, { "content-type": "text/event-stream" }).end(lines.join("\n\n") + "\n\n");

const answers: Record<string, Answer> = {
  "/v1/models": (_request, _body, response) =>
    json(response, { data: [{ id: "gpt-x", name: "X" }, { id: "whisper" }, { id: "gpt-y" }] }),
  "/v1/chat/completions": (request, body, response) => {
    if (request.headers.authorization !== "Bearer sk-1") return json(response, { error: "no" }, 401);
    const { model, stream } = JSON.parse(body) as { model: string; stream: boolean };
    if (!stream) return json(response, { model, choices: [{ message: { content: "whole" } }] });
    return events(response, ['data: {"choices":[{"delta":{"content":"Grüße"}}]}', "data: [DONE]"]);
  },
  "/v1/messages": (_request, body, response) => {
    const { stream, messages, system } = JSON.parse(body) as Record<string, unknown>;
    if (!stream) return json(response, { content: [{ text: JSON.stringify({ messages, system }) }] });
    const delta = (words: string) =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", delta: { text: words } })}`;
    return events(response, [delta("one "), delta("two"), 'data: {"type":"message_stop"}', delta("never")]);
  },
  "/search": (request, _body, response) => {
    const url = new URL(request.url ?? "", `http://${request.headers.host}`);
    const page = (name: string) => ({ title: name, url: `${url.origin}/page/${name}` });
    return json(response, { results: ["a", "b", "c"].map(page), query: url.searchParams.get("q") });
  },
  "/text": (_request, _body, response) => response.writeHead(200, { "content-type": "text/plain" }).end("no json"),
  "/missing": (_request, _body, response) => json(response, {}, 404),
};

/** A server of all that plugins of the corpus fetch. */
export async function startUpstream(): Promise<Upstream> {
  const server = createServer(
    handleRequest(async (request, response) => {
      const body = await text(request);
      const { pathname, search } = new URL(request.url ?? "", "http://upstream");
      const answer = answers[pathname];
      if (answer) answer(request, body, response);
      else if (pathname.startsWith("/page/")) response.writeHead(200).end(`Text of ${pathname.slice(6)}`);
      else json(response, { path: pathname, query: search, method: request.method, body, headers: request.headers });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
