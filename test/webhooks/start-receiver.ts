import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** A request as a receiver got it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

/** Answers with a status, and headers. */
export const answers =
  (status: number, headers: Record<string, string> = {}, body = ""): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export interface Receiver {
  url: string;
  received: Received[];
  /** Of all that follow. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** A real receiver of webhooks on 127.0.0.1; it takes everything until it is told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  let current = answers(204);
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const seen = { path: request.url ?? "", headers: request.headers, body, at: Date.now() };
      received.push(seen);
      current(response, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (behaviour) => void (current = behaviour),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body, as the library of Standard Webhooks lets it pass. @throws where the signature is not by this secret */
export function verified(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
