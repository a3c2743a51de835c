import { createClient, type Client } from "@libsql/client/web";
import { registry } from "../src/compose/registry.ts";
import { createServices, type Databases, type Environment, type Services } from "../src/context.ts";
import { createDatabase, type Database } from "../src/db/client.ts";
import { lookUpAlone } from "../src/db/look-up.ts";
import { type RoundTrips, timedRoundTrip } from "../src/db/metrics.ts";
import { consoleLog } from "../src/lib/log.ts";
import { createSharedTimers, realTimers, type Timers } from "../src/lib/timers.ts";
import { Tracer } from "../src/lib/traces/tracer.ts";
import { passwordCost } from "../src/people/auth/passwords/hash-password.ts";
import type { Lookup } from "../src/ports.ts";
import { askNear, isGateNear } from "./database/near-gate.ts";
import { openReplica, ReplicaState } from "./database/replica.ts";
import { timedWrites } from "./database/time-writes.ts";
import { startup, type Env } from "./env.ts";
import { readAtGate } from "./gated-client.ts";
import { createBlobs } from "./ports/blobs.ts";
import { createChannelBroadcaster } from "./ports/channel-broadcaster.ts";
import { createConnectMail } from "./ports/connect-mail.ts";
import { createEdgeModels } from "./ports/edge-models.ts";
import { createExtractor } from "./ports/extractor-client.ts";
import { createJobQueue } from "./ports/job-queue.ts";
import { createLiveSessions } from "./ports/live-sessions/live-sessions.ts";
import { createMachine } from "./ports/machine.ts";
import { createOutbound } from "./ports/outbound.ts";
import { createPasswordChecks } from "./ports/passwords-client.ts";
import { createPluginHost } from "./ports/plugin-host-client.ts";

const replicaState = new ReplicaState();

/**
 * Composition root: turns the runtime's bindings into the ports for verbs.
 * @param options `isRequest`: they are for one HTTP request, not for an object that lives on
 */
export function servicesOf(
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
  { isRequest = false }: { isRequest?: boolean } = {},
): Services {
  const { environment, vault, tokens, tracing } = startup(env);
  const outbound = createOutbound(env, environment);
  // The collector is the operator's own: its address may be private.
  const tracer = tracing && new Tracer(tracing, { fetch: outbound.trusted, log: consoleLog, waitUntil });
  const isGated = env.LOOKUP_GATE !== undefined;
  // A client holds no connection; one that outlived its request would hang in the next. The hot path needs none.
  let client: Client | undefined;
  let hasWritten = false;
  const direct = timedWrites(outbound.trusted, () => (hasWritten = true));
  const send = isGated ? gatedPipelines(env, direct) : direct;
  const timed = <T>(run: () => Promise<T>) => timedRoundTrip(environment, "work", run, tracer?.roundTrips);
  const openClient = () =>
    createClient({
      url: env.DB_URL,
      fetch: (input: RequestInfo | URL, init?: RequestInit) => timed(() => send(input, init)),
      ...(env.DB_AUTH_TOKEN ? { authToken: env.DB_AUTH_TOKEN } : {}),
    });
  const atGate = (body: string) => timed(() => env.STATEMENT_GATE.getByName("work").pipeline(body));
  const open = () => (client ??= isGated ? readAtGate(openClient(), atGate) : openClient());
  const openCopy = (url: string): Client => {
    const place = { token: env.DB_AUTH_TOKEN, send: outbound.trusted };
    return openReplica({
      replica: { ...place, url },
      primary: { ...place, url: env.DB_URL },
      client: open,
      hasWritten: () => hasWritten,
      state: replicaState,
      owner: environment,
      log: consoleLog,
    });
  };
  const lookup: Lookup = (statement) => lookUpAlone(open(), statement);
  const timers = createSharedTimers(realTimers, { isRequest });
  const gated = isRequest && env.LOOKUP_GATE === "near" ? nearLookup(env, timers) : calledLookup(env);
  const machine = env.LAUNCHER ? createMachine(env.LAUNCHER) : undefined;
  const replica = isGated ? undefined : env.DB_REPLICA_URL;
  const databases = new LazyDatabases(open, replica ? () => openCopy(replica) : undefined);
  return createServices(databases, {
    lookup: isGated ? gatedLookup(environment, gated, lookup, tracer?.roundTrips) : lookup,
    vault,
    tokens,
    passwordCost,
    ...createPasswordChecks(env),
    live: createLiveSessions(env),
    channels: createChannelBroadcaster(env),
    outbound,
    connectMail: createConnectMail(env),
    plugins: createPluginHost(env, { fetch: outbound.trusted, token: environment.RUNNER_TOKEN ?? "" }),
    blobs: createBlobs(env, machine),
    jobs: createJobQueue(env),
    extractor: createExtractor(env),
    ...(env.AI ? { edgeModels: createEdgeModels(env.AI) } : {}),
    ...(machine ? { machine } : {}),
    registry,
    environment,
    log: consoleLog,
    timers,
    ...(tracer ? { tracer } : {}),
    commit: env.PARLEY_COMMIT || null,
    now: () => Math.floor(Date.now() / 1000),
    waitUntil,
  });
}

class LazyDatabases implements Databases {
  readonly #open: () => Client;
  readonly #openReplica: (() => Client) | undefined;
  #db: Database | undefined;
  #replica: Database | undefined;

  constructor(open: () => Client, openReplica: (() => Client) | undefined) {
    this.#open = open;
    this.#openReplica = openReplica;
  }

  get db(): Database {
    return (this.#db ??= createDatabase(this.#open()));
  }

  get replica(): Database {
    return this.#openReplica ? (this.#replica ??= createDatabase(this.#openReplica())) : this.db;
  }
}

/** Over the gate's persistent streams; whatever goes wrong there, the client of the request answers instead. */
function gatedLookup(environment: Environment, gated: Lookup, direct: Lookup, trips: RoundTrips | undefined): Lookup {
  return async (statement) => {
    try {
      return await timedRoundTrip(environment, "lookup", () => gated(statement), trips);
    } catch {
      return direct(statement);
    }
  };
}

/** By a call of the gate's object. */
function calledLookup(env: Env): Lookup {
  return async ({ sql, args }) => env.STATEMENT_GATE.getByName("gate").read(sql, args);
}

/** As `calledLookup`, without a call where the object is in this isolate. */
function nearLookup(env: Env, timers: Timers): Lookup {
  const called = calledLookup(env);
  return (statement) => (isGateNear() ? askNear(timers, statement.sql, statement.args) : called(statement));
}

/** The way to the database for its client: pipelines go over the gate's streams where they can. */
function gatedPipelines(env: Env, otherwise: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input as Request, init as RequestInit);
    if (request.method !== "POST" || !request.url.endsWith("/v2/pipeline")) return otherwise(request);
    const { url, headers } = request;
    const body = await request.text();
    const answer = await env.STATEMENT_GATE.getByName("work").pipeline(body);
    if (answer === undefined) return otherwise(url, { method: "POST", headers, body });
    return new Response(answer, { headers: { "content-type": "application/json" } });
  };
}
