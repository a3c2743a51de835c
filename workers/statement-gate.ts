import { WsClient, type WsStream } from "@libsql/hrana-client";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "./env.ts";

/** Statements in flight at once; each stream is a database connection that runs one after the other. */
const streamCount = 4;
/** Milliseconds after which a caller goes its own way: a stuck stream must not hold a request. */
const patience = 2000;

/**
 * Holds a few persistent Hrana streams over one WebSocket and runs single reads on them. sqld opens a connection for every
 * HTTP pipeline; here the connections stay open, which nearly doubles the authenticated requests that two cores serve.
 * Only single statements: nothing here may leave a transaction open. On any error the connection is thrown away, and the
 * caller falls back to a client of its own.
 */
export class StatementGate extends DurableObject<Env> {
  #streams: Promise<WsStream[]> | undefined;
  #next = 0;

  /** The statement's one value. @throws Error when the database cannot be reached, refuses, or is slow. */
  async read(sql: string, args: (string | number | null)[]): Promise<string> {
    const opened = (this.#streams ??= this.#open());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slow = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("the statement gate is slow")), patience);
    });
    try {
      const streams = await Promise.race([opened, slow]);
      const stream = streams[this.#next++ % streams.length]!;
      const { value } = await Promise.race([stream.queryValue([sql, args]), slow]);
      return value as string;
    } catch (error) {
      if (this.#streams === opened) this.#streams = undefined;
      opened.then((streams) => streams[0]?.client().close()).catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #open(): Promise<WsStream[]> {
    const get = this.env.TRUSTED ? this.env.TRUSTED.fetch.bind(this.env.TRUSTED) : fetch;
    const url = this.env.DB_URL.replace(/^libsql:/, "https:").replace(/^ws/, "http");
    const response = await get(url, { headers: { upgrade: "websocket", "sec-websocket-protocol": "hrana2" } });
    const socket = response.webSocket;
    if (!socket) throw new Error(`the database does not speak Hrana over WebSocket (status ${response.status})`);
    socket.accept();
    const client = new WsClient(openedSocket(socket), this.env.DB_AUTH_TOKEN);
    return Array.from({ length: streamCount }, () => client.openStream());
  }
}

/** A socket from `fetch` is open already and never says so; the client waits for the event before it sends. */
function openedSocket(socket: WebSocket): WebSocket {
  const facade = {
    binaryType: "arraybuffer",
    protocol: "hrana2",
    addEventListener(type: string, listener: (event: Event) => void) {
      if (type === "open") queueMicrotask(() => listener(new Event("open")));
      else socket.addEventListener(type as "message", listener as (event: MessageEvent) => void);
    },
    send: (data: string) => socket.send(data),
    close: (code?: number, reason?: string) => socket.close(code, reason),
  };
  return facade as unknown as WebSocket;
}
