import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a provider does with a request for its models. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface Provider {
  /** Address without a path. */
  origin: string;
  /** Requests so far, as `METHOD path`. */
  requests: string[];
  headers: IncomingMessage["headers"][];
  bodies: string[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** A provider under the test's control, on a free port. */
export async function startProvider(behaviour: Behaviour = listing("model-a")): Promise<Provider> {
  let current = behaviour;
  const requests: string[] = [];
  const headers: Provider["headers"] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      bodies.push(body);
      current(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    bodies,
    behave: (next) => void (current = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers every path with one text. */
export function answering(status: number, text: string, headers: Record<string, string> = {}): Behaviour {
  return (_, response) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

/** An OpenAI-compatible list under `/v1/models` only; everything else is 404. */
export function listing(...ids: string[]): Behaviour {
  return at(
    "/v1/models",
    answering(
      200,
      JSON.stringify({
        object: "list",
        data: ids.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "harbour" })),
      }),
    ),
  );
}

const completion = JSON.stringify({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "tide",
  choices: [{ index: 0, message: { role: "assistant", content: "High water" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
});

/** Models, and an answer of each. */
export function talking(...ids: string[]): Behaviour {
  return (request, response) =>
    (request.method === "POST" ? answering(200, completion) : listing(...ids))(request, response);
}

export function at(path: string, behaviour: Behaviour): Behaviour {
  return (request, response) =>
    (request.url === path ? behaviour : answering(404, '{"error":{"message":"no such path"}}'))(request, response);
}

/** Local runtime: `/api/tags` and `/api/version`. */
export function tagging(...names: string[]): Behaviour {
  const models = names.map((name) => ({
    name,
    model: name,
    modified_at: "2026-01-02T03:04:05.678+01:00",
    size: 42,
    details: { family: "tiny" },
  }));
  return (request, response) => {
    const body =
      request.url === "/api/tags" ? { models } : request.url === "/api/version" ? { version: "0.9.1" } : undefined;
    answering(body ? 200 : 404, JSON.stringify(body ?? {}))(request, response);
  };
}

/** Takes the request and never says a word. */
export const hanging: Behaviour = () => undefined;

/** An address at which nothing listens. */
export async function deadOrigin(): Promise<string> {
  const provider = await startProvider();
  await provider.close();
  return provider.origin;
}
