import { parseEnvironment } from "../src/compose/parse-environment.ts";
import { type Environment } from "../src/compose/settings.ts";
import { parseKeyRing } from "../src/lib/key-ring.ts";
import { consoleLog } from "../src/lib/log.ts";
import { createVault } from "../src/lib/vault.ts";
import { createTokenSigner } from "../src/people/auth/tokens.ts";
import type { TokenSigner, Vault } from "../src/ports.ts";
import { scimWarnings } from "../src/scim/status/warnings.ts";
import type { ChannelHub } from "./channels/channel-hub.ts";
import type { StatementGate } from "./database/statement-gate.ts";
import type { AiBinding } from "./ports/edge-models.ts";
import type { WakeMessage } from "./ports/job-queue.ts";
import type { OpenDirectory } from "./session/open-directory.ts";
import type { SessionCoordinator } from "./session/session-coordinator.ts";

/** The bindings of wrangler.toml, plus every variable of the settings schema under its own name. */
export interface Env {
  DB_URL: string;
  DB_AUTH_TOKEN?: string;
  PARLEY_SECRET_KEYS: string;
  /** A way out to private addresses; only where the runtime would otherwise refuse them (one machine). */
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
  /** The extractor, a Worker (on one machine: processes) of its own. */
  EXTRACTOR: Fetcher;
  /** The platform's own models, where bound: on the edge. */
  AI?: AiBinding;
  /** The plugin host, a Worker (on one machine: processes) of its own. */
  PLUGIN_HOST: Fetcher;
  /** `1` where all SQL goes over the statement gate: the database is near and the gate too (one machine). */
  LOOKUP_GATE?: string;
}

/** What the environment says, checked. */
export interface Startup {
  environment: Environment;
  vault: Vault;
  tokens: TokenSigner;
}

let parsed: Startup | undefined;

/** Parsed once in each isolate. @throws SettingError or Error that names what is missing or wrong: then nothing is served. */
export function startup(env: Env): Startup {
  if (!parsed) {
    for (const name of ["DB_URL", "PARLEY_SECRET_KEYS"] as const) {
      if (!env[name]) throw new Error(`${name} is not set: see "Deploy" in the README`);
    }
    const ring = parseKeyRing(env.PARLEY_SECRET_KEYS);
    const environment = parseEnvironment(env as unknown as Record<string, unknown>);
    for (const warning of scimWarnings(environment)) consoleLog.warn(warning);
    parsed = {
      environment,
      vault: createVault(ring),
      tokens: createTokenSigner(ring),
    };
  }
  return parsed;
}
