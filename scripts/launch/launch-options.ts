import { isIPv6 } from "node:net";
import path from "node:path";
import { type FrontOptions, readFrontOptions } from "./front/front-options.ts";
import { StartError } from "./say.ts";

export interface LaunchOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absolute path. */
  dataDir: string;
  /** Reload on changes (`npm run dev`). */
  dev: boolean;
  /** Port of 127.0.0.1 where DevTools attach to workerd. */
  inspectorPort: number | undefined;
  front: FrontOptions;
}

/**
 * Reads the launcher's options from the environment and the command line.
 * @throws StartError with the variable and what it expects
 */
export function readLaunchOptions(env: NodeJS.ProcessEnv, args: readonly string[], root: string): LaunchOptions {
  const unknown = args.find((argument) => argument !== "--dev");
  if (unknown !== undefined) {
    throw new StartError(
      `Unknown argument ${unknown}. Configure Parley with environment variables: PORT, HOST, DATA and others.`,
    );
  }
  const host = readHost(env["HOST"]);
  return {
    host,
    port: readPort("PORT", env["PORT"]) ?? 8080,
    dataDir: path.resolve(root, env["DATA"]?.trim() || ".data"),
    dev: args.includes("--dev"),
    inspectorPort: readPort("PARLEY_INSPECTOR_PORT", env["PARLEY_INSPECTOR_PORT"]),
    front: readFrontOptions(env, host),
  };
}

function readPort(name: string, value = ""): number | undefined {
  const text = value.trim();
  if (text === "") return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new StartError(`${name} is "${value}", expected a whole number from 0 to 65535 (0 takes any free port).`);
  }
  return port;
}

function readHost(value = ""): string {
  const host = value.trim().replace(/^\[(.*)\]$/, "$1");
  if (host === "") return "127.0.0.1";
  if (!isIPv6(host) && !/^[\w.-]+$/.test(host)) {
    throw new StartError(
      `HOST is "${value}", expected a host name or an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
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
