import { once } from "node:events";
import http from "node:http";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

/**
 * A provider that costs next to nothing, in a process of its own: `/v1/models` and `/v1/chat/completions`.
 * The model's name says what comes: `bench-plain` one short answer; `bench-stream-<n>-<m>` n events, m of them in each
 * write: providers write each by itself, gateways and caches many at once; `bench-pace-<n>-<ms>` n events, one each so many
 * milliseconds.
 */
const base = { id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_700_000_000, model: "bench" };
const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const answer = JSON.stringify({
  ...base,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "pong" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
});
const models = [
  "bench-plain",
  ...[20, 2000, 20_000].flatMap((count) => [1, 8, 64].map((each) => `bench-stream-${count}-${each}`)),
  ...[100, 600].map((count) => `bench-pace-${count}-100`),
];

const server = http.createServer(async (request, response) => {
  if (request.method === "GET") {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 1, owned_by: "bench" })),
      }),
    );
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { model } = JSON.parse(Buffer.concat(parts).toString()) as { model: string };
  const [, kind, count, each] = model.split("-").map((part, at) => (at > 1 ? Number(part) : part)) as [
    string,
    string,
    number,
    number,
  ];
  if (kind === "plain") {
    response.setHeader("content-type", "application/json");
    response.end(answer);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event({ role: "assistant", content: "" }));
  if (kind === "pace") {
    for (let sent = 0; sent < count && !response.destroyed; sent++) {
      response.write(event({ content: "harbour " }));
      await pause(each);
    }
    response.end(`${event({}, "stop")}data: [DONE]\n\n`);
    return;
  }
  const words = event({ content: "harbour " }).repeat(each);
  for (let sent = 0; sent < count && !response.destroyed; sent += each) {
    if (!response.write(words)) await once(response, "drain", { signal: gone(response) }).catch(() => undefined);
  }
  response.end(`${event({}, "stop")}data: [DONE]\n\n`);
});

const signals = new WeakMap<http.ServerResponse, AbortSignal>();

/** Fires when the caller has gone, so that nobody waits for a socket that will never drain. */
function gone(response: http.ServerResponse): AbortSignal {
  let signal = signals.get(response);
  if (!signal) {
    const abort = new AbortController();
    response.once("close", () => abort.abort());
    signals.set(response, (signal = abort.signal));
  }
  return signal;
}

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on("disconnect", () => process.exit());
