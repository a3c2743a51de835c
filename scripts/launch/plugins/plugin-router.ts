import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { closeCodes } from "../../../workers/plugin-host/frames.ts";
import { listen } from "../listen.ts";
import { complain } from "../say.ts";
import type { PluginPool } from "./plugin-pool.ts";

/** Milliseconds. */
const noticeMs = 1000;
const maxTries = 3;

type Acquired = Awaited<ReturnType<PluginPool["acquire"]>>;

export interface PluginRouter {
  close(): void;
}

/**
 * The target of PLUGIN_HOST on one machine: a socket that reads the plugin from the path of a WebSocket upgrade and
 * passes the connection to the process of this plugin. If that process is ended, it reports so in its place.
 */
export async function startPluginRouter(socketPath: string, pool: PluginPool): Promise<PluginRouter> {
  const callers = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(426).end());
  server.on("upgrade", (request: IncomingMessage, caller: Socket, head: Buffer) => {
    callers.add(caller);
    caller.once("close", () => callers.delete(caller));
    // Its errors end in `close`.
    caller.on("error", () => undefined);
    hand(request, caller, head, pool).catch((error: unknown) => {
      complain(`A plugin call could not be forwarded: ${(error as Error).message}`);
      caller.destroy();
    });
  });
  await listen(server, socketPath);
  return {
    close() {
      server.close();
      for (const caller of callers) caller.destroy();
    },
  };
}

async function hand(request: IncomingMessage, caller: Socket, head: Buffer, pool: PluginPool): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://plugin-host");
  const plugin = decodeURIComponent(pathname.slice(1));
  // A process may be ended before it takes the connection, for what others do in it: then there will be a fresh one.
  for (let tries = 0; tries < maxTries && !caller.destroyed; tries++) {
    const pause = pool.pauseOf(plugin);
    if (pause > 0) return answer(caller, "503 Service Unavailable", `retry-after: ${Math.ceil(pause / 1000)}\r\n`);
    let acquired: Acquired;
    try {
      acquired = await pool.acquire(plugin, searchParams.get("version") ?? "", searchParams.get("wall") ?? undefined);
    } catch (error) {
      if (tries === maxTries - 1) complain(`The plugin ${plugin} could not be run: ${(error as Error).message}`);
      continue;
    }
    const host = connect(acquired.process.socketPath);
    host.on("error", () => undefined);
    const abandon = () => host.destroy();
    caller.once("close", abandon);
    host.write(Buffer.concat([Buffer.from(headOf(request)), head]));
    const first = await firstData(host);
    caller.off("close", abandon);
    if (first !== undefined && !caller.destroyed) return join(caller, host, first, acquired);
    host.destroy();
    acquired.release();
  }
  answer(caller, "502 Bad Gateway");
}

function join(caller: Socket, host: Socket, first: Buffer, { process, release }: Acquired): void {
  let isLeaving = false;
  caller.once("end", () => (isLeaving = true));
  caller.once("close", () => host.destroy());
  host.once("close", () => {
    release();
    if (isLeaving) return void caller.end();
    // The sockets of a process are closed a moment before its end is noticed.
    const isAlive = wait(noticeMs, "alive" as const);
    void Promise.race([process.ended, isAlive]).then((reason) => {
      if (reason === "alive" || caller.destroyed) caller.end();
      else if (reason === undefined) caller.end(closeFrame(closeCodes.leaving, ""));
      else caller.end(closeFrame(process.wasShared ? closeCodes.shared : closeCodes.stopped, reason));
    });
  });
  caller.write(first);
  host.pipe(caller, { end: false });
  caller.pipe(host);
}

/** Undefined where the socket is closed before. */
function firstData(socket: Socket): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    socket.once("data", (data: Buffer) => {
      socket.pause();
      resolve(data);
    });
    socket.once("close", () => resolve(undefined));
  });
}

/** The request as it came. */
function headOf(request: IncomingMessage): string {
  const lines = [`GET ${request.url} HTTP/1.1`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
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
