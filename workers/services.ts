import { registry } from "../src/compose/registry.ts";
import { createServices, type Environment, type Services } from "../src/context.ts";
import { lookUpAlone } from "../src/db/look-up.ts";
import { type RoundTrips, timedRoundTrip } from "../src/db/metrics.ts";
import { consoleLog } from "../src/lib/log.ts";
import { createSharedTimers, realTimers, type Timers } from "../src/lib/timers.ts";
import { Tracer } from "../src/lib/traces/tracer.ts";
import { passwordCostOf } from "../src/people/auth/passwords/cost.ts";
import type { Lookup } from "../src/ports.ts";
import { isGated, LazyDatabases } from "./database/lazy-databases.ts";
import { nearLookups } from "./database/near-gate.ts";
import { startup, type Env } from "./env.ts";
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

/**
 * Composition root: turns the runtime's bindings into the ports for verbs.
 * @param options `isRequest`: they are for one HTTP request, not for an object that lives on
 */
export function servicesOf(
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
  { isRequest = false }: { isRequest?: boolean } = {},
): Services {
  const { tracing } = startup(env);
  const ports = lastingPorts(env);
  const { environment, outbound } = ports;
  // The collector is the operator's own: its address may be private.
  const tracer = tracing && new Tracer(tracing, { fetch: outbound.trusted, log: consoleLog, waitUntil });
  const timers = createSharedTimers(realTimers, { isRequest });
  const isNear = isRequest && env.LOOKUP_GATE === "near";
  const databases = new LazyDatabases(env, {
    environment,
    outbound: outbound.trusted,
    nearTimers: isNear ? timers : undefined,
    trips: tracer?.roundTrips,
  });
  const direct: Lookup = (statement) => lookUpAlone(databases.client, statement);
  const gated = isNear ? nearLookup(env, timers) : calledLookup(env);
  return createServices(databases, {
    ...ports,
    lookup: isGated(env) ? gatedLookup(environment, gated, direct, tracer?.roundTrips) : direct,
    timers,
    tracer,
    waitUntil,
  });
}

type LastingPorts = ReturnType<typeof makeLastingPorts>;
const lasting = new WeakMap<Env, LastingPorts>();

/** Those that no request owns. They are made once, because making them took 3 % of a completion. */
function lastingPorts(env: Env): LastingPorts {
  let ports = lasting.get(env);
  if (!ports) lasting.set(env, (ports = makeLastingPorts(env)));
  return ports;
}

function makeLastingPorts(env: Env) {
  const { environment, vault, tokens } = startup(env);
  const outbound = createOutbound(env, environment);
  const machine = env.LAUNCHER ? createMachine(env.LAUNCHER) : undefined;
  return {
    vault,
    tokens,
    passwordCost: passwordCostOf(environment.PASSWORD_COST),
    ...createPasswordChecks(env),
    live: createLiveSessions(env),
    channels: createChannelBroadcaster(env),
    outbound,
    connectMail: createConnectMail(env),
    plugins: createPluginHost(env, { fetch: outbound.trusted, token: environment.RUNNER_TOKEN ?? "" }),
    blobs: createBlobs(env, machine),
    jobs: createJobQueue(env),
    extractor: createExtractor(env),
    edgeModels: env.AI ? createEdgeModels(env.AI) : undefined,
    machine,
    registry,
    environment,
    log: consoleLog,
    commit: env.PARLEY_COMMIT || null,
    now: () => Math.floor(Date.now() / 1000),
  };
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
  return (statement) => (nearLookups.isNear ? nearLookups.ask(timers, statement) : called(statement));
}
