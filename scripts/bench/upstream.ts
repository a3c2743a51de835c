import { once } from "node:events";
import http from "node:http";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

/**
 * A provider that costs next to nothing, in a process of its own: `/v1/models` and `/v1/chat/completions`.
 * The model's name says what comes: `bench-plain` one short answer; `bench-stream-<n>-<m>` n events, m of them in each
 * write: providers write each by itself, gateways and caches many at once; `bench-pace-<n>-<ms>` n events, one each so many
 * milliseconds; `bench-lines-<n>-<ms>` n lines of Markdown with code and tables, one each so many milliseconds, in pieces of a few words.
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
  ...[600, 3000].map((count) => `bench-lines-${count}-10`),
];

/** Sections of text, a list, forty lines of code and a table of thirty rows; the last third is one block of code, then one table. */
function lineOf(line: number, lines: number): string {
  const code = (at: number) =>
    `  const berth${at} = ships.filter((ship) => ship.length < ${at}).map(({ name }) => name); // row ${at}\n`;
  const row = (at: number) => `| Quay ${at} | ${at % 24}:30 | ${at * 4} crowns | the ferry waits for **nobody** |\n`;
  const head = ["\n", "| Place | Time | Fare | Note |\n", "|---|---|---:|---|\n"];
  const [codeFrom, tableFrom] = [Math.floor(lines * 0.67), Math.floor(lines * 0.87)];
  if (line >= tableFrom) return line === tableFrom ? "```\n" : (head[line - tableFrom - 1] ?? row(line));
  if (line >= codeFrom) return line === codeFrom ? "\n```js\n" : code(line);
  const at = line % 120;
  if (at === 0) return `\n## Section ${line / 120 + 1}\n`;
  if (at < 20)
    return at % 4 === 0
      ? `Of *tides* and [ferries](https://harbour.example/${line}) much is written in paragraph ${line}, with \`code\` too.\n`
      : at % 4 === 1
        ? "\n"
        : "It goes on for another line, as people write who have time and think about the sea.\n";
  if (at < 40) return at === 20 ? "\n" : `- point ${at} of the list, with **weight** on some words\n`;
  if (at < 82) return at === 40 ? "\n```js\n" : at === 81 ? "```\n" : code(line);
  return head[at - 82] ?? (at < 115 ? row(line) : "\n");
}

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
  if (kind === "lines") {
    const began = performance.now();
    for (let line = 0; line < count && !response.destroyed; line++) {
      for (const piece of lineOf(line, count).match(/(?:\S*\s*){1,4}/g) ?? [])
        if (piece) response.write(event({ content: piece }));
      // By the clock: timers come late, and a provider does not.
      const ahead = began + (line + 1) * each - performance.now();
      if (ahead > 0) await pause(ahead);
    }
    response.end(`${event({}, "stop")}data: [DONE]\n\n`);
    return;
  }
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
