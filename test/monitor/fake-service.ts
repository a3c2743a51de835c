import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A service that answers as told, and 404 otherwise; closed after the test. */
export async function serve(routes: Record<string, Handler>): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const handler = routes[`${request.method} ${request.url}`];
      if (handler) handler(request, response, body);
      else response.writeHead(404).end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const json =
  (value: unknown, status = 200): Handler =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

export const healthy = {
  "GET /health": json({ status: true }),
  "GET /api/models": json({ data: [{ id: "first" }, { id: "second" }] }),
  "POST /api/chat/completions": json({ choices: [{ message: { content: "Pong." } }] }),
};
