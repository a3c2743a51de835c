import { isIPv6 } from "node:net";
import path from "node:path";
import { StartError } from "./say.ts";

export interface LaunchOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absolute path. */
  dataDir: string;
  /** Reload on changes (`npm run dev`). */
  dev: boolean;
}

/**
 * Reads what the launcher itself needs from the environment and the command line.
 * @throws StartError that names the variable and what it expects
 */
export function readLaunchOptions(env: NodeJS.ProcessEnv, args: readonly string[], root: string): LaunchOptions {
  const unknown = args.find((argument) => argument !== "--dev");
  if (unknown !== undefined) {
    throw new StartError(
      `Unknown argument ${unknown}. Configure Parley with environment variables: PORT, HOST, DATA and others.`,
    );
  }
  return {
    host: readHost(env["HOST"]),
    port: readPort(env["PORT"]),
    dataDir: path.resolve(root, env["DATA"]?.trim() || ".data"),
    dev: args.includes("--dev"),
  };
}

function readPort(value = ""): number {
  const text = value.trim();
  if (text === "") return 8080;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new StartError(`PORT is "${value}", expected a whole number from 0 to 65535 (0 takes any free port).`);
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

/** The address under which this machine itself reaches a listener on `host`. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}
