import type { Actor } from "./access.ts";
import type { Registry } from "./compose/registry.ts";
import type { Environment, Settings } from "./compose/settings.ts";
import type { Database } from "./db/client.ts";
import type { Extractor } from "./documents/files/extraction/extractor.ts";
import type { Probe } from "./http/probe-header.ts";
import { type Log, logWith } from "./lib/log.ts";
import type { Timers } from "./lib/timers.ts";
import type { Span } from "./lib/traces/span.ts";
import type { Tracer } from "./lib/traces/tracer.ts";
import type { PartialPermissions } from "./people/permissions.ts";
import type { PluginHost } from "./plugins/plugin-host.ts";
import type {
  Blobs,
  ChannelBroadcaster,
  CheckOldHash,
  ConnectMail,
  EdgeModels,
  JobQueue,
  LiveSessions,
  Lookup,
  Machine,
  Outbound,
  PasswordCost,
  Scrypt,
  TokenSigner,
  Vault,
} from "./ports.ts";

export type { Environment, Settings } from "./compose/settings.ts";

/** The ports of the runtime; built for each request by workers/services.ts, and by the tests' world. */
export interface Services {
  db: Database;
  /**
   * For large reads that may be a second old and carry no rights: a replica of the database where there is one, else `db`. What a
   * request has written itself is always found.
   */
  replica: Database;
  lookup: Lookup;
  vault: Vault;
  tokens: TokenSigner;
  passwordCost: PasswordCost;
  scrypt: Scrypt;
  checkOldHash: CheckOldHash;
  live: LiveSessions;
  channels: ChannelBroadcaster;
  outbound: Outbound;
  connectMail: ConnectMail;
  plugins: PluginHost;
  blobs: Blobs;
  jobs: JobQueue;
  extractor: Extractor;
  /** Only where they are bound. */
  edgeModels?: EdgeModels;
  /** The launcher around the service; only on one machine. */
  machine?: Machine;
  /** What lower slices need of higher ones, gathered by the composition root. */
  registry: Registry;
  environment: Environment;
  log: Log;
  /** What waits for long in this request, run or job; the runtime's own where there are none. */
  timers?: Timers;
  /** Only where traces are on. */
  tracer?: Tracer;
  /** Of the request, run or job that this is; only where traces are on. */
  span?: Span;
  /** What the service was built from, as git names it; null if that is not known. */
  commit: string | null;
  /** Epoch seconds, whole. */
  now(): number;
  /** Lets work outlive the answer. */
  waitUntil(work: Promise<unknown>): void;
}

/**
 * The same services for one request, whose log lines have its id. Every field is named, because copying descriptors took 2 % of a
 * completion; `db` and `replica` stay getters, because a request may need none.
 */
export function servicesOfRequest(services: Services, requestId: string, span: Span | undefined): Services {
  const trace = span ? { trace_id: span.context.traceId } : {};
  const { edgeModels, machine, timers, tracer } = services;
  const copy: Services = {
    get db() {
      return services.db;
    },
    get replica() {
      return services.replica;
    },
    lookup: services.lookup,
    vault: services.vault,
    tokens: services.tokens,
    passwordCost: services.passwordCost,
    scrypt: services.scrypt,
    checkOldHash: services.checkOldHash,
    live: services.live,
    channels: services.channels,
    outbound: services.outbound,
    connectMail: services.connectMail,
    plugins: services.plugins,
    blobs: services.blobs,
    jobs: services.jobs,
    extractor: services.extractor,
    registry: services.registry,
    environment: services.environment,
    log: logWith(services.log, { request_id: requestId, ...trace }),
    commit: services.commit,
    now: services.now,
    waitUntil: services.waitUntil,
  };
  if (edgeModels) copy.edgeModels = edgeModels;
  if (machine) copy.machine = machine;
  if (timers) copy.timers = timers;
  if (tracer) copy.tracer = tracer;
  if (span) copy.span = span;
  return copy;
}

/** The argument of every verb: nothing global, no fallbacks. */
export interface Context extends Services {
  actor: Actor;
  /** Effective settings: environment over database over defaults, as of this request. */
  settings: Settings;
  /** What administrators laid over the factory permissions for everyone, as of this request. */
  defaultPermissions: PartialPermissions;
  /** Version of everything the model catalogue is made of, as of this request. */
  catalogStamp: number;
  /** Version of all quotas, as of this request; 0 as long as there never were any. */
  quotaStamp: number;
  /** Only where the caller says that the request is a probe. */
  probe?: Probe;
  requestId: string;
  /** Public base address without a trailing slash. */
  origin: string;
}

/** The same request for another person or with other values. Not spread: the ports are inherited. */
export function contextWith(ctx: Context, changed: Partial<Context>): Context {
  return Object.assign(Object.create(ctx) as Context, changed);
}
