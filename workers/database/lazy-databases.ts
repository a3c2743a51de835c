import { createClient, type Client } from "@libsql/client/web";
import type { Databases, Environment } from "../../src/context.ts";
import { createDatabase, type Database } from "../../src/db/client.ts";
import { type RoundTrips, timedRoundTrip } from "../../src/db/metrics.ts";
import { consoleLog } from "../../src/lib/log.ts";
import type { Timers } from "../../src/lib/timers.ts";
import type { Env } from "../env.ts";
import { readAtGate } from "./gated-client.ts";
import { nearReads } from "./near-gate.ts";
import { openReplica, ReplicaState } from "./replica.ts";
import { timedWrites } from "./time-writes.ts";

const replicaState = new ReplicaState();

interface LazyDatabasesOptions {
  environment: Environment;
  outbound: typeof fetch;
  /** Of a request that may ask the gate without a call. */
  nearTimers: Timers | undefined;
  /** Counts round trips where traces are on. */
  trips: RoundTrips | undefined;
}

/**
 * The databases of one request, run or job. A client holds no connection; one that outlived its request would hang in the next.
 * Most completions need none.
 */
export class LazyDatabases implements Databases {
  readonly #env: Env;
  readonly #options: LazyDatabasesOptions;
  #client: Client | undefined;
  #opened: Client | undefined;
  #db: Database | undefined;
  #replica: Database | undefined;
  #hasWritten = false;

  constructor(env: Env, options: LazyDatabasesOptions) {
    this.#env = env;
    this.#options = options;
  }

  get db(): Database {
    return (this.#db ??= createDatabase(this.client));
  }

  get replica(): Database {
    const { DB_REPLICA_URL: url } = this.#env;
    if (!url || isGated(this.#env)) return this.db;
    return (this.#replica ??= createDatabase(this.#openReplica(url)));
  }

  get client(): Client {
    if (this.#client) return this.#client;
    const open = () => (this.#opened ??= this.#open());
    return (this.#client = isGated(this.#env)
      ? readAtGate(open, (body) => this.#timed(() => this.#read(body)))
      : open());
  }

  async #read(body: string): Promise<string | undefined> {
    const { nearTimers } = this.#options;
    // Who has waited too long may ask again: it only reads.
    if (nearTimers && nearReads.isNear) return nearReads.ask(nearTimers, body).catch(() => undefined);
    return workPipeline(this.#env, body);
  }

  #open(): Client {
    const { DB_URL: url, DB_AUTH_TOKEN: authToken } = this.#env;
    const direct = timedWrites(this.#options.outbound, () => (this.#hasWritten = true));
    const send = isGated(this.#env) ? gatedPipelines(this.#env, direct) : direct;
    return createClient({
      url,
      fetch: (input: RequestInfo | URL, init?: RequestInit) => this.#timed(() => send(input, init)),
      ...(authToken ? { authToken } : {}),
    });
  }

  #openReplica(url: string): Client {
    const place = { token: this.#env.DB_AUTH_TOKEN, send: this.#options.outbound };
    return openReplica({
      replica: { ...place, url },
      primary: { ...place, url: this.#env.DB_URL },
      client: () => this.client,
      hasWritten: () => this.#hasWritten,
      state: replicaState,
      owner: this.#options.environment,
      log: consoleLog,
    });
  }

  #timed<T>(run: () => Promise<T>): Promise<T> {
    return timedRoundTrip(this.#options.environment, "work", run, this.#options.trips);
  }
}

/** Whether statements go over the gate's persistent streams. */
export function isGated(env: Pick<Env, "LOOKUP_GATE">): boolean {
  return env.LOOKUP_GATE !== undefined;
}

/** The way to the database for its client: pipelines go over the gate's streams where they can. */
function gatedPipelines(env: Env, otherwise: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input as Request, init as RequestInit);
    if (request.method !== "POST" || !request.url.endsWith("/v2/pipeline")) return otherwise(request);
    const { url, headers } = request;
    const body = await request.text();
    const answer = await workPipeline(env, body);
    if (answer === undefined) return otherwise(url, { method: "POST", headers, body });
    return new Response(answer, { headers: { "content-type": "application/json" } });
  };
}

async function workPipeline(env: Env, body: string): Promise<string | undefined> {
  return env.STATEMENT_GATE.getByName("work").pipeline(body);
}
