import { DurableObject } from "cloudflare:workers";
import { gateWait, noteWaiting } from "../../src/db/metrics.ts";
import { type Env, startup } from "../env.ts";
import { HranaSocket } from "./hrana/hrana-socket.ts";
import { pipelineAnswer, readPipeline } from "./hrana/pipeline.ts";
import { type PoolObserver, StreamPool } from "./hrana/stream-pool.ts";
import { type Handed, type LookedUp, nearLookups, nearReads } from "./near-gate.ts";
import { maxWriteMs, stoppedAnswer } from "./time-writes.ts";

/**
 * Connections, each with the streams that it has and the milliseconds for one request after which it is closed. Writers that
 * wait for the lock stand in each other's way inside sqld (see scripts/launch/database-process.ts): here they wait for each
 * other, and have a connection of their own, because closing it is what stops one that takes too long.
 */
const kinds = {
  lookups: { streams: 1, timeoutMs: 2000 },
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

/** With so many look-ups a message goes off: their answers come together too. */
const enoughAsked = 64;

interface BatchResult {
  step_results: ({ rows: [key: { value: string }, text: { value?: string }][] } | null)[];
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
  readonly #takeLookups = (handed: readonly Handed<LookedUp>[]): void => this.#lookUp(handed);
  readonly #takeReads = (handed: readonly Handed<string>[]): void => {
    for (const { asked, settle, fail } of handed) this.#pipeline(asked).then(settle, fail);
  };
  /** Look-ups that wait for those before them. */
  readonly #waiting: { handed: readonly Handed<LookedUp>[]; since: number }[] = [];
  #isLookingUp = false;
  readonly #lookUpsWaiting = this.#observe("lookups");

  /**
   * The one text that a statement reads; undefined where it finds no row.
   * @throws Error when the database cannot be reached, refuses, or is silent.
   */
  async read(sql: string, args: (string | number | null)[]): Promise<string | undefined> {
    nearLookups.note(this.#takeLookups);
    return new Promise((settle, fail) => this.#lookUp([{ asked: { sql, args }, settle, fail }]));
  }

  /** What comes while the database answers is asked together next: one preparation of a statement is for all who ask it. */
  #lookUp(handed: readonly Handed<LookedUp>[]): void {
    this.#waiting.push({ handed, since: performance.now() });
    this.#lookUpsWaiting.waits();
    if (!this.#isLookingUp) void this.#lookUpAll();
  }

  async #lookUpAll(): Promise<void> {
    this.#isLookingUp = true;
    while (this.#waiting.length > 0) {
      const handed: Handed<LookedUp>[] = [];
      do {
        const next = this.#waiting.shift()!;
        this.#lookUpsWaiting.leaves(next.since);
        handed.push(...next.handed);
      } while (this.#waiting.length > 0 && handed.length < enoughAsked);
      await this.#read(handed);
    }
    this.#isLookingUp = false;
  }

  /** Reads what all of them ask in one message, with one statement for all who ask the same; never fails. */
  async #read(handed: readonly Handed<LookedUp>[]): Promise<void> {
    try {
      const { socket, pool } = await this.#connect("lookups");
      const statements = [...Map.groupBy(handed, ({ asked }) => asked.sql)];
      const steps = statements.map(([sql, group]) => {
        const args = [{ type: "text", value: JSON.stringify(group.map(({ asked }) => asked.args)) }];
        return { stmt: { sql_id: socket.textId(sql), args, want_rows: true } };
      });
      const outcome = await pool.run({ type: "batch", batch: { steps } });
      if (!outcome?.ok) throw new Error(outcome?.error ?? "the database connection was closed");
      const { result } = JSON.parse(outcome.response) as { result: BatchResult };
      statements.forEach(([, group], at) => {
        const found = result.step_results[at];
        const wrong = new Error(result.step_errors[at]?.message ?? "the database gave no answer");
        const texts = new Map(found?.rows.map(([key, text]) => [Number(key.value), text.value]));
        group.forEach(({ settle, fail }, key) => (found ? settle(texts.get(key)) : fail(wrong)));
      });
    } catch (error) {
      for (const { fail } of handed) fail(error as Error);
    }
  }

  /**
   * What `POST /v2/pipeline` answers to this body; undefined where it has to be sent there, as nothing was done here.
   * @throws Error when the connection was lost in the middle: nobody knows whether the work was done
   */
  async pipeline(body: string): Promise<string | undefined> {
    nearReads.note(this.#takeReads);
    return this.#pipeline(body);
  }

  async #pipeline(body: string): Promise<string | undefined> {
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
    const pool = new StreamPool(socket, kinds[kind].streams, kind === "lookups" ? undefined : this.#observe(kind));
    return { socket, pool, isWatched: false, isStopped: false };
  }
}
