import { isIPv6 } from "node:net";
import path from "node:path";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { type BackupOptions, readBackupOptions } from "./backups/backup-options.ts";
import { type FirstAdministrator, readFirstAdministrator } from "./first-administrator.ts";
import { type FrontOptions, readFrontOptions } from "./front/front-options.ts";
import { usualIdleMs, usualWarmIsolates } from "./plugins/plugin-pool.ts";
import { Faults, StartError } from "./start-error.ts";
import { trustedAuthorities } from "./trusted-authorities.ts";

export interface LaunchOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absolute path. */
  dataDir: string;
  /** Reload on changes (`npm run dev`). */
  dev: boolean;
  /** Make a new key ring when the one of the data folder is lost. */
  newKeys: boolean;
  /** Port of 127.0.0.1 where DevTools attach to workerd. */
  inspectorPort: number | undefined;
  front: FrontOptions;
  /** Below which path everything is; the service checks it. */
  basePath: string;
  /** How long a stop waits for answers that are being written. */
  stopTimeoutMs: number;
  /** Created if there is none yet. */
  administrator: FirstAdministrator | undefined;
  backups: BackupOptions;
  plugins: PluginOptions;
  /** Set when a copy of the data is only tried out. */
  aside?: Aside;
}

export interface PluginOptions {
  /** How long processes and isolates of plugins stay when nobody uses them. */
  idleMs: number;
  /** So many isolates of Python stay warm in one process. */
  warmIsolates: number;
}

/** Nothing leaves an instance that stands aside: no timers run, and what it sends to providers arrives at this address. */
export interface Aside {
  /** `host:port` of an HTTP server. */
  provider: string;
}

const switches = new Set(["--dev", "--new-keys"]);

/**
 * Reads the launcher's options from the environment and the command line.
 * @throws StartError with all variables that are wrong and what each expects
 */
export function readLaunchOptions(env: NodeJS.ProcessEnv, args: readonly string[], root: string): LaunchOptions {
  const unknown = args.find((argument) => !switches.has(argument));
  if (unknown !== undefined) {
    throw new StartError(
      `Unknown argument ${unknown}. Configure Parley with environment variables: PORT, HOST, DATA and others.`,
      "usage",
    );
  }
  const faults = new Faults();
  const port = (name: string, value: string | undefined) => faults.read(() => readPort(name, value), undefined);
  const host = faults.read(() => readHost(env["HOST"]), "127.0.0.1");
  const dataDir = path.resolve(root, env["DATA"]?.trim() || ".data");
  const options = {
    host,
    port: port("PORT", env["PORT"]) ?? 8080,
    dataDir,
    dev: args.includes("--dev"),
    newKeys: args.includes("--new-keys"),
    inspectorPort: port("PARLEY_INSPECTOR_PORT", env["PARLEY_INSPECTOR_PORT"]),
    basePath: env["BASE_PATH"]?.trim() ?? "",
    backups: faults.read(() => readBackupOptions(env, dataDir, root), undefined),
    front: faults.read(() => readFrontOptions(env, host), undefined),
    stopTimeoutMs: faults.read(() => readSeconds("STOP_TIMEOUT", env["STOP_TIMEOUT"], 30), 0) * 1000,
    administrator: faults.read(() => readFirstAdministrator(env), undefined),
    plugins: {
      idleMs:
        faults.read(() => readSeconds("PLUGIN_IDLE", env["PLUGIN_IDLE"], usualIdleMs / 1000), usualIdleMs / 1000) *
        1000,
      warmIsolates: faults.read(() => readWarmIsolates(env["PLUGIN_WARM_ISOLATES"]), usualWarmIsolates),
    },
  };
  const ring = env["PARLEY_SECRET_KEYS"]?.trim() ?? "";
  if (ring !== "") faults.read(() => checkKeyRing(ring, "PARLEY_SECRET_KEYS"), undefined);
  faults.read(() => checkAuthorities(env["NODE_EXTRA_CA_CERTS"]), undefined);
  faults.throwAny();
  return { ...options, front: options.front!, backups: options.backups! };
}

/** @throws StartError that says what is wrong with a ring, and where it stands */
export function checkKeyRing(text: string, where: string): void {
  try {
    parseKeyRing(text);
  } catch (error) {
    const message = (error as Error).message.replace("PARLEY_SECRET_KEYS", where);
    throw new StartError(`${message}. Set it as it was, or see docs/deploy.md for a new service.`, "configuration");
  }
}

function checkAuthorities(file: string | undefined): void {
  if (!file) return;
  const expected = `NODE_EXTRA_CA_CERTS is "${file}", expected a file with certificates in PEM form`;
  let found;
  try {
    found = trustedAuthorities(file).trustedCertificates;
  } catch (error) {
    throw new StartError(`${expected} (${(error as Error).message}). Correct the path, or unset it.`, "noInput");
  }
  if (found.length === 0) throw new StartError(`${expected}, and there is none in it.`, "noInput");
}

function readPort(name: string, value = ""): number | undefined {
  const text = value.trim();
  if (text === "") return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new StartError(
      `${name} is "${value}", expected a whole number from 0 to 65535 (0 takes any free port).`,
      "configuration",
    );
  }
  return port;
}

function readWarmIsolates(value: string | undefined): number {
  const text = value?.trim() ?? "";
  if (text === "") return usualWarmIsolates;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > 100)
    throw new StartError(`PLUGIN_WARM_ISOLATES: expected a whole number from 1 to 100, got ${text}`, "usage");
  return count;
}

function readSeconds(name: string, value = "", otherwise: number): number {
  const text = value.trim();
  if (text === "") return otherwise;
  if (!/^\d{1,5}$/.test(text))
    throw new StartError(`${name} is "${value}", expected seconds, such as ${otherwise}.`, "configuration");
  return Number(text);
}

function readHost(value = ""): string {
  const host = value.trim().replace(/^\[(.*)\]$/, "$1");
  if (host === "") return "127.0.0.1";
  if (!isIPv6(host) && !/^[\w.-]+$/.test(host)) {
    throw new StartError(
      `HOST is "${value}", expected a host name or an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
      "configuration",
    );
  }
  return host;
}

/** `host:port` as sockets and URLs write it. */
export function formatAddress(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The address by which this machine reaches a listener on `host`. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}
