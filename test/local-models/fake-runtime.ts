import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerAsRuntime } from "./runtime-answers.ts";

/** One request as the runtime got it. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** The caller went away before the answer was whole. */
  left: boolean;
}

export interface FakeRuntime {
  /** Address without a path. */
  origin: string;
  models: string[];
  /** Those in memory. */
  loaded: Set<string>;
  blobs: Set<string>;
  seen: SeenRequest[];
  /** Answered before anything else is looked at; the request is the test's where it gives true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Awaited before each further line of a stream. */
  hold: (line: number) => Promise<void> | void;
  /** Older runtimes have no Responses and no Messages API. */
  hasNewApis: boolean;
  close(): Promise<void>;
}

/**
 * A stand-in for a local model runtime on a free port, as strict as the real one (https://docs.ollama.com/api): methods, types of
 * fields, names of models with `:latest`, statuses, words of errors, refusal of web pages' origins, content types, lines.
 */
export async function startFakeRuntime(models: readonly string[] = ["tiny:latest"]): Promise<FakeRuntime> {
  const runtime: FakeRuntime = {
    origin: "",
    models: [...models],
    loaded: new Set(),
    blobs: new Set(),
    seen: [],
    intercept: undefined,
    hold: () => undefined,
    hasNewApis: true,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer((request, response) => {
    const seen: SeenRequest = {
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: Buffer.alloc(0),
      left: false,
    };
    runtime.seen.push(seen);
    response.on("close", () => void (seen.left = !response.writableFinished));
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => undefined);
    request.on("end", () => {
      seen.body = Buffer.concat(parts);
      if (runtime.intercept?.(request, response)) return;
      void answerAsRuntime(runtime, seen, response).catch(() => response.destroy());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  runtime.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return runtime;
}
