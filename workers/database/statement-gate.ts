import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { HranaSocket } from "./hrana/hrana-socket.ts";
import { pipelineAnswer, readPipeline } from "./hrana/pipeline.ts";
import { type PoolSize, StreamPool } from "./hrana/stream-pool.ts";

/**
 * Of look-ups, which wait for nothing else, and of all other work. Writers that wait for the lock stand in each other's way
 * inside sqld (see scripts/launch/database-process.ts): here they wait for each other.
 */
const sizes = { lookups: { streams: 4, writers: 0 }, work: { streams: 4, writers: 1 } } satisfies Record<
  string,
  PoolSize
>;
/** Milliseconds for one request after which its connection counts as stuck: where callers must not be held, and where work may last. */
const timeoutMs = { lookups: 2000, work: 20_000 };
const graceMs = 200;

interface Opened {
  socket: HranaSocket;
  pool: StreamPool;
}

/**
 * Holds persistent Hrana streams over a WebSocket and runs work on them. sqld opens a connection for every HTTP pipeline and
 * reads the schema anew for it (measured: 2.8 ms of its processor for `SELECT 1` in a migrated database, 0.2 ms on a stream that
 * is open). Nothing here leaves a transaction open: what would needs a pipeline of its own. One object each for look-ups and for
 * other work, so that neither waits for the other.
 */
export class StatementGate extends DurableObject<Env> {
  #opened: Promise<Opened> | undefined;
  #watched = false;

  /**
   * The one text that a statement reads; undefined where it finds no row.
   * @throws Error when the database cannot be reached, refuses, or is silent.
   */
  async read(sql: string, args: (string | number | null)[]): Promise<string | undefined> {
    const { pool } = await this.#connect("lookups");
    const outcome = await pool.run({ type: "execute", stmt: { sql, args: args.map(toValue), want_rows: true } }, false);
    if (!outcome?.ok) throw new Error(outcome?.error ?? "the database connection was closed");
    const { result } = JSON.parse(outcome.response) as { result: { rows: { value?: string }[][] } };
    return result.rows[0]?.[0]?.value;
  }

  /**
   * What `POST /v2/pipeline` answers to this body; undefined where it has to be sent there, as nothing was done here.
   * @throws Error when the connection was lost in the middle: nobody knows whether the work was done
   */
  async pipeline(body: string): Promise<string | undefined> {
    const work = readPipeline(body);
    if (!work) return undefined;
    const opened = await this.#connect("work").catch(() => undefined);
    if (!opened) return undefined;
    try {
      const outcome = await opened.pool.run(work.request, work.writes);
      return outcome && pipelineAnswer(work, outcome);
    } catch (error) {
      // What only reads may be done twice.
      if (!work.writes) return undefined;
      throw error;
    }
  }

  async #connect(kind: keyof typeof sizes): Promise<Opened> {
    const seen = this.#opened;
    const current = await seen?.catch(() => undefined);
    // Whoever comes meanwhile waits for the same one.
    if ((!current || current.socket.isLost) && this.#opened === seen) this.#opened = this.#open(kind);
    const opened = await this.#opened!;
    this.#watch(opened.socket, timeoutMs[kind]);
    return opened;
  }

  /** One timer for all that wait: one for each piece of work would cost more than the work. */
  #watch(socket: HranaSocket, limit: number): void {
    if (this.#watched) return;
    this.#watched = true;
    const isStuck = () => Date.now() - (socket.waitingSince ?? Infinity) > limit;
    setTimeout(() => {
      // Where this process itself stood still, answers may be there already and come before the next timer.
      if (isStuck()) setTimeout(() => isStuck() && socket.close(new Error("silent")), graceMs);
      this.#watched = false;
      if (socket.waitingSince !== undefined) this.#watch(socket, limit);
    }, limit / 2);
  }

  async #open(kind: keyof typeof sizes): Promise<Opened> {
    const get = this.env.TRUSTED ? this.env.TRUSTED.fetch.bind(this.env.TRUSTED) : fetch;
    const url = this.env.DB_URL.replace(/^libsql:/, "https:").replace(/^ws/, "http");
    const headers = { upgrade: "websocket", "sec-websocket-protocol": "hrana2" };
    const controller = new AbortController();
    // Ended with the handshake: a signal that fires later would end the connection.
    const timer = setTimeout(() => controller.abort(), timeoutMs.lookups);
    const response = await get(url, { headers, signal: controller.signal }).finally(() => clearTimeout(timer));
    const { webSocket } = response;
    if (!webSocket) throw new Error(`the database does not speak Hrana over WebSocket (status ${response.status})`);
    webSocket.accept();
    const socket = new HranaSocket(webSocket, this.env.DB_AUTH_TOKEN);
    return { socket, pool: new StreamPool(socket, sizes[kind]) };
  }
}

function toValue(value: string | number | null): Record<string, unknown> {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "text", value };
  return Number.isInteger(value) ? { type: "integer", value: String(value) } : { type: "float", value };
}
