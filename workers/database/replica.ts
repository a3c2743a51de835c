import { createClient, type Client, type InStatement } from "@libsql/client/web";
import { isReadOnly } from "../../src/db/is-read-only.ts";
import { replicaReads } from "../../src/db/metrics.ts";
import { withMethods } from "../../src/db/with-methods.ts";
import type { Log } from "../../src/lib/log.ts";
import type { Owner } from "../../src/lib/metrics/series.ts";

/** How old an answer of the replica may be, in milliseconds. */
const maxAgeMs = 1000;
/** How long the replica may take, and how long one that failed or lags is left alone, in milliseconds. */
const timeoutMs = 3000;
const restMs = 5000;

/** Where a database is, and how it is asked. */
interface Place {
  url: string;
  token: string | undefined;
  send: typeof fetch;
}

export interface ReplicaOptions {
  replica: Place;
  primary: Place;
  /** The client of the primary. */
  client: () => Client;
  /** Whether the request has written: it then finds what it wrote only in the primary. */
  hasWritten: () => boolean;
  state: ReplicaState;
  /** Whose metrics are counted. */
  owner: Owner;
  log: Log;
}

/** What an isolate knows of the replica. No promises: those of one request may not be waited for in another. */
export class ReplicaState {
  /** `frame`: the newest one of the primary's log; undefined where the database does not number them. */
  #newest: { frame: bigint | undefined; askedAt: number } | undefined;
  restsUntil = 0;

  /** The primary's newest frame, at most a second ago. */
  async newest(ask: () => Promise<bigint | undefined>): Promise<bigint | undefined> {
    const askedAt = Date.now();
    if (!this.#newest || askedAt - this.#newest.askedAt >= maxAgeMs) this.#newest = { frame: await ask(), askedAt };
    return this.#newest.frame;
  }
}

/**
 * A client for reads that may be a second old. It asks the replica, and the primary where the replica fails, takes too long or
 * lags behind. sqld's answers name the newest frame of the log that they have seen (`replication_index`), so what the replica
 * says is compared with what the primary said at most a second ago.
 * @throws Error for a statement that could write: a replica would pass it on
 */
export function openReplica({ replica, primary, client, hasWritten, state, owner, log }: ReplicaOptions): Client {
  const send: typeof fetch = async (input, init) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const [wanted, response] = await Promise.all([
      state.newest(() => readNewestFrame(primary)),
      replica.send(new Request(input as Request, { ...init, signal })),
    ]);
    const body = await response.text();
    const seen = newestFrameIn(body);
    if (wanted !== undefined && (seen === undefined || seen < wanted))
      throw new Error(`the replica has frame ${seen}, the primary had ${wanted} a second ago`);
    return new Response(body, response);
  };
  let copy: Client | undefined;
  const open = () =>
    (copy ??= createClient({
      url: replica.url,
      fetch: send,
      ...(replica.token === undefined ? {} : { authToken: replica.token }),
    }));

  async function read<T>(statements: readonly InStatement[], ask: (client: Client) => Promise<T>): Promise<T> {
    for (const statement of statements) {
      const sql = typeof statement === "string" ? statement : statement.sql;
      if (!isReadOnly(sql)) throw new Error(`a replica is only read: ${sql}`);
    }
    if (!hasWritten() && Date.now() >= state.restsUntil) {
      try {
        const answer = await ask(open());
        replicaReads.add(owner, ["replica"]);
        return answer;
      } catch (error) {
        state.restsUntil = Date.now() + restMs;
        log.warn("the database's replica is not used for a while", { error: String(error) });
      }
    }
    replicaReads.add(owner, ["primary"]);
    return ask(client());
  }

  const execute: Client["execute"] = (statement: InStatement) => read([statement], (asked) => asked.execute(statement));
  const batch: Client["batch"] = (statements) =>
    read(statements as InStatement[], (asked) => asked.batch(statements, "read"));
  return withMethods(client, { execute, batch });
}

async function readNewestFrame({ url, token, send }: Place): Promise<bigint | undefined> {
  const response = await send(`${url.replace(/^libsql:/, "https:").replace(/\/$/, "")}/v2/pipeline`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql: "SELECT 1" } }, { type: "close" }] }),
  });
  if (!response.ok) throw new Error(`the database answers ${response.status}`);
  return newestFrameIn(await response.text());
}

/**
 * In an answer to a pipeline. The last one counts: those of the statements of a batch are null.
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */
function newestFrameIn(body: string): bigint | undefined {
  const found = body.slice(body.lastIndexOf('"replication_index":')).match(/^"replication_index":"(\d+)"/);
  return found ? BigInt(found[1]!) : undefined;
}
