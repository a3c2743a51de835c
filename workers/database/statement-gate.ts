import { DurableObject } from "cloudflare:workers";
import { gateWait, noteWaiting } from "../../src/db/metrics.ts";
import { type Env, startup } from "../env.ts";
import { HranaSocket } from "./hrana/hrana-socket.ts";
import { pipelineAnswer, readPipeline } from "./hrana/pipeline.ts";
import { type PoolObserver, StreamPool } from "./hrana/stream-pool.ts";
import { type Asked, noteGate, serveNear } from "./near-gate.ts";
import { maxWriteMs, stoppedAnswer } from "./time-writes.ts";

/**
 * Connections, each with the streams that it has and the milliseconds for one request after which it is closed. Writers that
 * wait for the lock stand in each other's way inside sqld (see scripts/launch/database-process.ts): here they wait for each
 * other, and have a connection of their own, because closing it is what stops one that takes too long.
 */
const kinds = {
  lookups: { streams: 4, timeoutMs: 2000 },
  reads: { streams: 3, timeoutMs: 20_000 },
  writes: { streams: 1, timeoutMs: maxWriteMs },
};
type Kind = keyof typeof kinds;
const lastChanceMs = 200;
/** How often work is given to a new connection that the one before did not send any more. */
const maxTries = 10;

interface Opened {
  socket: HranaSocket;
  pool: StreamPool;
  isWatched: boolean;
  /** Whether it was closed because a request took too long. */
  isStopped: boolean;
}

interface BatchResult {
  step_results: ({ rows: { value?: string }[][] } | null)[];
  step_errors: ({ message: string } | null)[];
}

/**
 * Holds persistent Hrana streams over a WebSocket and runs work on them. sqld opens a connection for every HTTP
 * pipeline and reads the schema again for it (measured: 2.8 ms of its processor for `SELECT 1` in a migrated database,
 * 0.2 ms on an open stream). Nothing here leaves a transaction open: that needs its own pipeline. One object for
 * lookups and one for other work, so that neither waits for the other.
 */
export class StatementGate extends DurableObject<Env> {
  readonly #opened: Partial<Record<Kind, Promise<Opened>>> = {};
  #isListening = false;

  /**
   * The one text that a statement reads; undefined where it finds no row.
   * @throws Error when the database cannot be reached, refuses, or is silent.
   */
  async read(sql: string, args: (string | number | null)[]): Promise<string | undefined> {
    noteGate();
    if (!this.#isListening) {
      this.#isListening = true;
      // From its first call on, requests in the same isolate ask it without one.
      void serveNear((asked) => void this.#lookUp(asked));
    }
    return new Promise((settle, fail) => void this.#lookUp([{ sql, args, settle, fail }]));
  }

  /** Reads what all of them ask in one message; each statement sees the database as it is then. */
  async #lookUp(asked: readonly Asked[]): Promise<void> {
    try {
      const { socket, pool } = await this.#connect("lookups");
      const steps = asked.map(({ sql, args }) => ({
        stmt: { sql_id: socket.textId(sql), args: args.map(toValue), want_rows: true },
      }));
      const outcome = await pool.run({ type: "batch", batch: { steps } });
      if (!outcome?.ok) throw new Error(outcome?.error ?? "the database connection was closed");
      const { result } = JSON.parse(outcome.response) as { result: BatchResult };
      asked.forEach(({ settle, fail }, at) => {
        const found = result.step_results[at];
        if (found) settle(found.rows[0]?.[0]?.value);
        else fail(new Error(result.step_errors[at]?.message ?? "the database gave no answer"));
      });
    } catch (error) {
      for (const { fail } of asked) fail(error as Error);
    }
  }

  /**
   * What `POST /v2/pipeline` answers to this body; undefined where it has to be sent there, as nothing was done here.
   * @throws Error when the connection was lost in the middle: nobody knows whether the work was done
   */
  async pipeline(body: string): Promise<string | undefined> {
    const work = readPipeline(body);
    if (!work) return undefined;
    for (let attempt = 0; attempt < maxTries; attempt++) {
      const opened = await this.#connect(work.writes ? "writes" : "reads").catch(() => undefined);
      if (!opened) return undefined;
      try {
        const outcome = await opened.pool.run(work.request);
        if (outcome) return pipelineAnswer(work, outcome);
      } catch (error) {
        // What only reads may be done twice.
        if (!work.writes) return undefined;
        if (opened.isStopped) return stoppedAnswer(work);
        throw error;
      }
    }
    return undefined;
  }

  async #connect(kind: Kind): Promise<Opened> {
    const seen = this.#opened[kind];
    const current = await seen?.catch(() => undefined);
    // Anyone who comes meanwhile waits for the same one.
    if ((!current || current.socket.isLost) && this.#opened[kind] === seen) this.#opened[kind] = this.#open(kind);
    const opened = await this.#opened[kind]!;
    this.#watch(opened, kinds[kind].timeoutMs);
    return opened;
  }

  /** One timer for all that wait: one for each piece of work would cost more than the work. */
  #watch(opened: Opened, timeoutMs: number): void {
    if (opened.isWatched) return;
    opened.isWatched = true;
    const { socket } = opened;
    const isStuck = () => Date.now() - (socket.waitingSince ?? Infinity) > timeoutMs;
    const stop = () => {
      if (!isStuck()) return;
      opened.isStopped = true;
      socket.close(new Error("silent"));
    };
    setTimeout(() => {
      // Where this process itself stood still, answers may be there already and come before the next timer.
      if (isStuck()) setTimeout(stop, lastChanceMs);
      opened.isWatched = false;
      if (socket.waitingSince !== undefined) this.#watch(opened, timeoutMs);
    }, timeoutMs / 4);
  }

  /** For the metrics: on one machine, objects are in the isolate of the service. */
  #observe(line: Kind): PoolObserver {
    const { environment } = startup(this.env);
    return {
      waits: () => noteWaiting(environment, line, 1),
      leaves(since) {
        noteWaiting(environment, line, -1);
        gateWait.observe(environment, [line], (performance.now() - since) / 1000);
      },
    };
  }

  async #open(kind: Kind): Promise<Opened> {
    const get = this.env.TRUSTED ? this.env.TRUSTED.fetch.bind(this.env.TRUSTED) : fetch;
    const url = this.env.DB_URL.replace(/^libsql:/, "https:").replace(/^ws/, "http");
    const headers = { upgrade: "websocket", "sec-websocket-protocol": "hrana2" };
    const controller = new AbortController();
    // Ended with the handshake: a signal that fires later would end the connection.
    const timer = setTimeout(() => controller.abort(), kinds.lookups.timeoutMs);
    const response = await get(url, { headers, signal: controller.signal }).finally(() => clearTimeout(timer));
    const { webSocket } = response;
    if (!webSocket) throw new Error(`the database does not speak Hrana over WebSocket (status ${response.status})`);
    webSocket.accept();
    const socket = new HranaSocket(webSocket, this.env.DB_AUTH_TOKEN);
    const pool = new StreamPool(socket, kinds[kind].streams, this.#observe(kind));
    return { socket, pool, isWatched: false, isStopped: false };
  }
}

function toValue(value: string | number | null): Record<string, unknown> {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "text", value };
  return Number.isInteger(value) ? { type: "integer", value: String(value) } : { type: "float", value };
}
