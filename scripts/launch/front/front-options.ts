import { Faults, StartError } from "../start-error.ts";
import { addressesIn, isLoopback, type IsIn } from "./addresses.ts";
import type { ConnectionLimits } from "./connection-count.ts";
import { type HostRule, hostRule } from "./host-rule.ts";
import { logRefusal } from "./log-refusal.ts";
import type { Refusal } from "./refusal.ts";
import { isHost } from "./request-head.ts";

export interface FrontOptions extends ConnectionLimits {
  isTrustedProxy: IsIn;
  /** Whether many callers may come from an address. */
  isShared: IsIn;
  isAllowedHost: HostRule;
  /** Writes down what was refused here, and so never came to the service. @param address of the connection */
  noteRefusal?: (refusal: Refusal, address: string | undefined, requestId: string) => void;
}

/**
 * @param host where the public socket listens
 * @throws StartError with the variable and what it expects
 */
export function readFrontOptions(env: NodeJS.ProcessEnv, host: string): FrontOptions {
  const faults = new Faults();
  const count = (name: string, value: string | undefined, otherwise: number) =>
    faults.read(() => readCount(name, value), undefined) ?? otherwise;
  const isTrustedProxy = faults.read<IsIn>(
    () => readProxies(env["TRUSTED_PROXIES"]),
    () => false,
  );
  const allowedHosts = faults.read(() => readHosts(env["ALLOWED_HOSTS"]), []);
  const options = {
    isTrustedProxy,
    // From this machine comes everything, where a proxy runs on it.
    isShared: (address: string) => isLoopback(address) || isTrustedProxy(address),
    isAllowedHost: hostRule(allowedHosts, env["WEBUI_URL"]?.trim() ?? "", host),
    maxConnections: count("MAX_CONNECTIONS", env["MAX_CONNECTIONS"], 2000),
    maxConnectionsPerAddress: count("MAX_CONNECTIONS_PER_ADDRESS", env["MAX_CONNECTIONS_PER_ADDRESS"], 256),
    ...(/^(?:true|1|on)$/i.test(env["ACCESS_LOG"]?.trim() ?? "") ? { noteRefusal: logRefusal } : {}),
  };
  faults.throwAny();
  return options;
}

function readProxies(value: string | undefined): IsIn {
  try {
    return addressesIn(listIn(value));
  } catch (error) {
    throw new StartError(
      `TRUSTED_PROXIES has "${(error as Error).message}", expected addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas.`,
      "configuration",
    );
  }
}

function readHosts(value: string | undefined): string[] {
  const hosts = listIn(value);
  const wrong = hosts.find((host) => host !== "*" && !isHost(host.replace(/^\*\./, "")));
  if (wrong !== undefined) {
    throw new StartError(
      `ALLOWED_HOSTS has "${wrong}", expected host names, *.name for all names below one, or * for all, separated by commas.`,
      "configuration",
    );
  }
  return hosts;
}

function readCount(name: string, value = ""): number | undefined {
  const text = value.trim();
  if (text === "") return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new StartError(`${name} is "${value}", expected a whole number from 1 to 9999999.`, "configuration");
  return Number(text);
}

function listIn(value = ""): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
