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

/**
 * Opened when they are first read. Copies of services and contexts are made by the functions below: a spread would leave the
 * databases out, which the compiler sees because they belong to a class.
 */
export declare abstract class Databases {
  abstract get db(): Database;
  /**
   * For large reads that may be a second old and carry no rights: a replica of the database where there is one, else `db`. What a
   * request has written itself is always found.
   */
  abstract get replica(): Database;
}

/** The ports of the runtime; built for each request by workers/services.ts, and by the tests' world. */
export interface Services extends Databases {
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
  edgeModels?: EdgeModels | undefined;
  /** The launcher around the service; only on one machine. */
  machine?: Machine | undefined;
  /** What lower slices need of higher ones, gathered by the composition root. */
  registry: Registry;
  environment: Environment;
  log: Log;
  /** What waits for long in this request, run or job; the runtime's own where there are none. */
  timers?: Timers | undefined;
  /** Only where traces are on. */
  tracer?: Tracer | undefined;
  /** Of the request, run or job that this is; only where traces are on. */
  span?: Span | undefined;
  /** What the service was built from, as git names it; null if that is not known. */
  commit: string | null;
  /** Epoch seconds, whole. */
  now(): number;
  /** Lets work outlive the answer. */
  waitUntil(work: Promise<unknown>): void;
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
  probe?: Probe | undefined;
  requestId: string;
  /** Public base address without a trailing slash. */
  origin: string;
}

type Ports = Omit<Services, keyof Databases>;
/** What a context has besides its services. */
type Own = Omit<Context, keyof Services>;
/** Of a context: what belongs to the request, not to who sent it. */
type Asked = Pick<Own, "probe" | "requestId" | "origin">;
/** What a look-up of the caller finds. */
type Found = Omit<Own, keyof Asked>;

/**
 * Every copy has the same hidden class. An object that inherits from those of its request has one of its own, which the engine
 * collects, with all that the request held, only in a full collection: that took a fifth of a completion.
 */
// oxlint-disable-next-line no-unsafe-declaration-merging -- the constructor gives all of them, which a test checks
interface ServicesCopy extends Ports {}
class ServicesCopy {
  readonly #databases: Databases;

  constructor(from: Ports, databases: Databases) {
    this.#databases = databases;
    this.lookup = from.lookup;
    this.vault = from.vault;
    this.tokens = from.tokens;
    this.passwordCost = from.passwordCost;
    this.scrypt = from.scrypt;
    this.checkOldHash = from.checkOldHash;
    this.live = from.live;
    this.channels = from.channels;
    this.outbound = from.outbound;
    this.connectMail = from.connectMail;
    this.plugins = from.plugins;
    this.blobs = from.blobs;
    this.jobs = from.jobs;
    this.extractor = from.extractor;
    this.edgeModels = from.edgeModels;
    this.machine = from.machine;
    this.registry = from.registry;
    this.environment = from.environment;
    this.log = from.log;
    this.timers = from.timers;
    this.tracer = from.tracer;
    this.span = from.span;
    this.commit = from.commit;
    this.now = from.now;
    this.waitUntil = from.waitUntil;
  }

  get db(): Database {
    return this.#databases.db;
  }

  get replica(): Database {
    return this.#databases.replica;
  }
}

// oxlint-disable-next-line no-unsafe-declaration-merging -- as above
interface ContextCopy extends Own {}
class ContextCopy extends ServicesCopy {
  constructor(services: Services, found: Found, own: Asked) {
    super(services, services);
    this.actor = found.actor;
    this.settings = found.settings;
    this.defaultPermissions = found.defaultPermissions;
    this.catalogStamp = found.catalogStamp;
    this.quotaStamp = found.quotaStamp;
    this.probe = own.probe;
    this.requestId = own.requestId;
    this.origin = own.origin;
  }
}

export function createServices(databases: Databases, ports: Ports): Services {
  return new ServicesCopy(ports, databases);
}

/** The same services with other ports. */
export function servicesWith(services: Services, changed: Partial<Ports>): Services {
  return Object.assign(new ServicesCopy(services, services), changed);
}

/** The same services for one request, run or job: its log lines have the fields, and the id of its trace where traces are on. */
export function servicesWithin(services: Services, fields: Record<string, unknown>, span: Span | undefined): Services {
  const trace = span ? { trace_id: span.context.traceId } : {};
  return servicesWith(services, {
    log: logWith(services.log, { ...fields, ...trace }),
    span: span ?? services.span,
  });
}

/** @param found what a look-up of the caller found, which may have more fields */
export function createContext(services: Services, found: Found, own: Asked): Context {
  return new ContextCopy(services, found, own);
}

/** The same request for another person or with other values. */
export function contextWith(ctx: Context, changed: Partial<Ports & Own>): Context {
  return Object.assign(new ContextCopy(ctx, ctx, ctx), changed);
}
