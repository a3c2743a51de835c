import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { listen } from "../listen.ts";
import { complain } from "../say.ts";
import type { OnDemandPool } from "./pool.ts";
import type { OnDemandProcess } from "./process.ts";

/** From the end of an answer to the notice that its process has ended, in ms. */
const noticeMs = 1000;

/**
 * Where EXTRACTOR and PASSWORDS point on one machine: hands each piece of work to a process of its own. When that process ends in
 * the middle, it says why in its place: as the status 502, or as the last line of an answer, unless that has a known length: such an
 * answer breaks off. A caller that goes away ends the process, if that does not come to an end soon.
 */
export async function startOnDemandRouter(socketPath: string, pool: OnDemandPool): Promise<{ close(): void }> {
  const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
    hand(request, response, pool).catch((error: unknown) => {
      if (response.destroyed) return;
      complain(`A process for ${pool.name} did not come up: ${(error as Error).message}`);
      tellLoss(response, "unreachable");
    });
  });
  await listen(server, socketPath);
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function hand(request: IncomingMessage, response: ServerResponse, pool: OnDemandPool): Promise<void> {
  const gone = new AbortController();
  const over = new AbortController();
  response.once("close", () => {
    gone.abort();
    setTimeout(() => over.abort(), pool.graceMs).unref();
  });
  const process = await pool.take(gone.signal);
  const work = process.begin();
  try {
    if (await relay(request, response, process, work.live, over.signal)) return;
    if (gone.signal.aborted) return process.stop();
    complain(`A process for ${pool.name} ended while it worked.`, "warn");
    tellLoss(response, await whyOf(process));
  } finally {
    work.end();
    pool.giveBack(process);
  }
}

/** @returns whether the answer came to its end */
function relay(
  request: IncomingMessage,
  response: ServerResponse,
  process: OnDemandProcess,
  live: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = request.headers["x-options"] ?? "";
  let isAnswered = false;
  const there = ask(
    {
      socketPath: process.socketPath,
      agent: false,
      method: "POST",
      path: request.url,
      headers: { "x-options": options },
    },
    (answer) => {
      isAnswered = true;
      response.statusCode = answer.statusCode ?? 502;
      for (const name of ["content-type", "content-length"]) {
        const value = answer.headers[name];
        if (value !== undefined) response.setHeader(name, value);
      }
      answer.on("data", (bytes: Buffer) => {
        live();
        if (response.destroyed || response.write(bytes)) return;
        answer.pause();
        response.once("drain", () => answer.resume());
      });
      let isEnded = false;
      answer.once("end", () => {
        isEnded = true;
        response.end();
      });
      answer.once("close", () => resolve(isEnded));
    },
  );
  // Its errors end in `close`, too; before an answer there is nothing else that tells them. What has been answered may still be on
  // its way when the process has closed its end.
  there.on("error", () => undefined);
  there.once("close", () => {
    if (!isAnswered) resolve(false);
  });
  signal.addEventListener("abort", () => there.destroy(), { once: true });
  request.on("data", live);
  request.pipe(there);
  return promise;
}

/** The sockets of a process are closed a moment before its end is noticed. */
async function whyOf(process: OnDemandProcess): Promise<string> {
  const reason = await Promise.race([process.ended, wait(noticeMs, undefined, { ref: false })]);
  process.stop();
  return reason ?? "unreachable";
}

function tellLoss(response: ServerResponse, reason: string): void {
  if (!response.headersSent) response.writeHead(502, { "content-type": "application/json" });
  else if (response.hasHeader("content-length")) return void response.destroy();
  response.end(`\n${JSON.stringify({ type: "lost", reason })}\n`);
}
