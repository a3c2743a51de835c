import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { closeCodes } from "../../../workers/plugin-host/frames.ts";
import { complain } from "../say.ts";
import type { PluginPool } from "./plugin-pool.ts";

/** Milliseconds. */
const noticeTime = 1000;

export interface PluginRouter {
  close(): void;
}

/**
 * Where PLUGIN_HOST points on one machine: a socket that reads the plugin from the path of a WebSocket upgrade and hands the
 * connection to the process that serves this plugin. When that process is ended in the middle, it says so in its place.
 */
export function startPluginRouter(socketPath: string, pool: PluginPool): Promise<PluginRouter> {
  const callers = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(426).end());
  server.on("upgrade", (request: IncomingMessage, caller: Socket, head: Buffer) => {
    callers.add(caller);
    caller.once("close", () => callers.delete(caller));
    // Its errors end in `close`.
    caller.on("error", () => undefined);
    void hand(request, caller, head, pool);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, () => {
      resolve({
        close() {
          server.close();
          for (const caller of callers) caller.destroy();
        },
      });
    });
  });
}

async function hand(request: IncomingMessage, caller: Socket, head: Buffer, pool: PluginPool): Promise<void> {
  const plugin = decodeURIComponent((request.url ?? "/").slice(1));
  const pause = pool.pauseOf(plugin);
  if (pause > 0) return answer(caller, "503 Service Unavailable", `retry-after: ${Math.ceil(pause / 1000)}\r\n`);
  let acquired: Awaited<ReturnType<PluginPool["acquire"]>>;
  try {
    acquired = await pool.acquire(plugin);
  } catch (error) {
    complain(`The plugin ${plugin} could not be run: ${(error as Error).message}`);
    return answer(caller, "502 Bad Gateway");
  }
  const { process, release } = acquired;
  if (caller.destroyed) return release();
  const host = connect(process.socketPath);
  let hasAnswered = false;
  let isLeaving = false;
  host.once("data", () => (hasAnswered = true));
  host.on("error", () => undefined);
  caller.once("end", () => (isLeaving = true));
  host.once("close", () => {
    release();
    if (!hasAnswered) return answer(caller, "502 Bad Gateway");
    if (isLeaving) return void caller.end();
    // The sockets of a process are closed a moment before its end is noticed.
    const isAlive = wait(noticeTime, "alive" as const);
    void Promise.race([process.ended, isAlive]).then((reason) => {
      if (reason === "alive" || caller.destroyed) caller.end();
      else
        caller.end(reason === undefined ? closeFrame(closeCodes.leaving, "") : closeFrame(closeCodes.stopped, reason));
    });
  });
  caller.once("close", () => host.destroy());
  const lines = [`GET ${request.url} HTTP/1.1`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
  }
  host.write(`${lines.join("\r\n")}\r\n\r\n`);
  if (head.length > 0) host.write(head);
  host.pipe(caller, { end: false });
  caller.pipe(host);
}

function answer(caller: Socket, status: string, headers = ""): void {
  caller.end(`HTTP/1.1 ${status}\r\n${headers}content-length: 0\r\nconnection: close\r\n\r\n`);
}

/** A WebSocket close frame as servers send it (RFC 6455, section 5.5.1); `reason` of less than 123 bytes. */
function closeFrame(code: number, reason: string): Buffer {
  const payload = Buffer.from(`\0\0${reason}`);
  payload.writeUInt16BE(code);
  return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
}
