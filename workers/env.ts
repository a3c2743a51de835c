import packageFile from "../package.json" with { type: "json" };
import { parseEnvironment } from "../src/compose/parse-environment.ts";
import { definitions, type Environment, type SettingName } from "../src/compose/settings.ts";
import { parseKeyRing } from "../src/lib/key-ring.ts";
import { configureLog, consoleLog } from "../src/lib/log.ts";
import { startedAt } from "../src/lib/metrics/started-at.ts";
import { createTracing } from "../src/lib/traces/create-tracing.ts";
import type { Tracing } from "../src/lib/traces/tracer.ts";
import { createVault } from "../src/lib/vault.ts";
import { passwordCostWarnings } from "../src/people/auth/passwords/cost.ts";
import { createTokenSigner } from "../src/people/auth/tokens.ts";
import type { TokenSigner, Vault } from "../src/ports.ts";
import { scimWarnings } from "../src/scim/status/warnings.ts";
import type { Definition } from "../src/settings/definition.ts";
import type { ChannelHub } from "./channels/channel-hub.ts";
import type { StatementGate } from "./database/statement-gate.ts";
import type { AiBinding } from "./ports/edge-models.ts";
import type { WakeMessage } from "./ports/job-queue.ts";
import type { OpenDirectory } from "./session/open-directory.ts";
import type { SessionCoordinator } from "./session/session-coordinator.ts";

/** The bindings of wrangler.toml, and every settings variable under its own name. */
export interface Env {
  DB_URL: string;
  DB_AUTH_TOKEN?: string;
  /** A replica of the database, with the same token, for large reads that may be a second old. */
  DB_REPLICA_URL?: string;
  PARLEY_SECRET_KEYS: string;
  /** A way to private addresses; only if the runtime otherwise blocks them (one machine). */
  TRUSTED?: Fetcher;
  ASSETS: Fetcher;
  SESSION_COORDINATOR: DurableObjectNamespace<SessionCoordinator>;
  STATEMENT_GATE: DurableObjectNamespace<StatementGate>;
  OPEN_DIRECTORY: DurableObjectNamespace<OpenDirectory>;
  CHANNEL_HUB: DurableObjectNamespace<ChannelHub>;
  BLOBS: R2Bucket;
  EXTRACT_QUEUE: Queue<WakeMessage>;
  EMBED_QUEUE: Queue<WakeMessage>;
  WEBHOOK_QUEUE: Queue<WakeMessage>;
  /** The extractor: a separate Worker (on one machine: processes). */
  EXTRACTOR: Fetcher;
  /** Hashes passwords: a separate Worker (on one machine: a process). */
  PASSWORDS: Fetcher;
  /** The platform's own models, where bound: on the edge. */
  AI?: AiBinding;
  /** The plugin host: a separate Worker (on one machine: processes). */
  PLUGIN_HOST: Fetcher;
  /** What the launcher knows of the processes around the service; only on one machine. */
  LAUNCHER?: Fetcher;
  /**
   * Set if all SQL goes through the statement gate, because the database is near (one machine). `near`: the gate's object is in the
   * isolate of the service, and the runtime goes on with a promise in the context that made it, which that of the tests does not.
   */
  LOOKUP_GATE?: string;
  /** The commit that the service was built from, where it is known. */
  PARLEY_COMMIT?: string;
  BASE_PATH?: string;
}

/** The validated environment. */
export interface Startup {
  environment: Environment;
  vault: Vault;
  tokens: TokenSigner;
  /** Undefined where traces are off. */
  tracing: Tracing | undefined;
}

let parsed: Startup | undefined;

/** Shorter ones would take ordinary words out of the log. */
const minSecret = 8;

/** What must not be in the log: the values of all secret variables. */
function secretsOf({ DB_AUTH_TOKEN, PARLEY_SECRET_KEYS }: Env, environment: Environment): string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    (definitions[name as SettingName] as Definition).secret ? [value].flat() : [],
  );
  return [...values, DB_AUTH_TOKEN, PARLEY_SECRET_KEYS].filter(
    (value): value is string => typeof value === "string" && value.length >= minSecret,
  );
}

/**
 * Parsed once per isolate.
 * @throws SettingError or Error for missing or invalid variables: then nothing is served.
 */
export function startup(env: Env): Startup {
  if (!parsed) {
    for (const name of ["DB_URL", "PARLEY_SECRET_KEYS"] as const) {
      if (!env[name]) throw new Error(`${name} is not set: see docs/deploy.md`);
    }
    const ring = parseKeyRing(env.PARLEY_SECRET_KEYS);
    const environment = parseEnvironment(env as unknown as Record<string, unknown>);
    configureLog(environment.LOG_LEVEL ?? "info", secretsOf(env, environment));
    const warnings = [...scimWarnings(environment), ...passwordCostWarnings(environment.PASSWORD_COST)];
    for (const warning of warnings) consoleLog.warn(warning);
    startedAt(environment);
    parsed = {
      environment,
      vault: createVault(ring),
      tokens: createTokenSigner(ring),
      tracing: createTracing(environment, packageFile.version),
    };
  }
  return parsed;
}
