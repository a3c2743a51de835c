import http from "node:http";
import process from "node:process";

/**
 * A provider that costs next to nothing, in a process of its own: `/v1/models` and `/v1/chat/completions`.
 * The model's name says what comes: `bench-plain` one short answer; `bench-stream-<n>` n events in chunks of eight;
 * `bench-slow-<n>-<ms>` one event every <ms> milliseconds.
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
const models = ["bench-plain", "bench-stream-20", "bench-stream-2000", "bench-stream-20000", "bench-slow-40-25"];

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
  const [, kind, count, pause] = model.split("-");
  if (kind === "plain") {
    response.setHeader("content-type", "application/json");
    response.end(answer);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event({ role: "assistant", content: "" }));
  const word = event({ content: "harbour " });
  const perChunk = kind === "slow" ? 1 : 8;
  for (let sent = 0; sent < Number(count) && !response.destroyed; sent += perChunk) {
    if (!response.write(word.repeat(perChunk)))
      await new Promise<void>((resolve) => response.once("drain", resolve).once("close", resolve));
    if (pause) await new Promise((resolve) => setTimeout(resolve, Number(pause)));
  }
  response.end(`${event({}, "stop")}data: [DONE]\n\n`);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on("disconnect", () => process.exit());
