import { WsClient, type WsStream } from "@libsql/hrana-client";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "./env.ts";

/** Statements in flight at once; each stream is a database connection that runs one after the other. */
const streamCount = 4;
/** Milliseconds without any answer after which the connection counts as stuck: callers must not be held. */
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
  #waiting = 0;
  #answered = 0;
  #watched = false;

  /**
   * The statement's one value; undefined where it finds no row.
   * @throws Error when the database cannot be reached, refuses, or is silent.
   */
  async read(sql: string, args: (string | number | null)[]): Promise<string | undefined> {
    const opened = (this.#streams ??= this.#open());
    this.#waiting++;
    this.#watch();
    try {
      const streams = await opened;
      const { value } = await streams[this.#next++ % streams.length]!.queryValue([sql, args]);
      this.#answered++;
      return value as string | undefined;
    } catch (error) {
      this.#drop(opened);
      throw error;
    } finally {
      this.#waiting--;
    }
  }

  /** One timer for all that wait: one for each read would cost more than the read. */
  #watch(): void {
    if (this.#watched) return;
    this.#watched = true;
    const answered = this.#answered;
    setTimeout(() => {
      this.#watched = false;
      if (this.#waiting === 0) return;
      if (this.#answered === answered && this.#streams) this.#drop(this.#streams);
      else this.#watch();
    }, patience);
  }

  /** Closing the connection refuses whatever waits on it; the next read opens another. */
  #drop(streams: Promise<WsStream[]>): void {
    if (this.#streams === streams) this.#streams = undefined;
    streams.then((opened) => opened[0]?.client().close()).catch(() => undefined);
  }

  async #open(): Promise<WsStream[]> {
    const get = this.env.TRUSTED ? this.env.TRUSTED.fetch.bind(this.env.TRUSTED) : fetch;
    const url = this.env.DB_URL.replace(/^libsql:/, "https:").replace(/^ws/, "http");
    const headers = { upgrade: "websocket", "sec-websocket-protocol": "hrana2" };
    const response = await get(url, { headers, signal: AbortSignal.timeout(patience) });
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
