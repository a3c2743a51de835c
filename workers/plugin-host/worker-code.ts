import type { PluginLanguage, PluginPackage } from "../../src/plugins/plugin-host.ts";
import type { HostEnv } from "./env.ts";
import { javascriptWorkerCode } from "./javascript/worker-code.ts";
import { pythonWorkerCode } from "./python/worker-code.ts";

/** The way out for a list of hosts; null for none. */
export type Network = (hosts: readonly string[]) => Fetcher | null;

export interface IsolateParts {
  code: string;
  valves: Record<string, unknown>;
  packages: PluginPackage[];
}

/** Processor time of one call on the edge, in ms; on one machine a watchdog stands in for it. */
const cpuMs = 30_000;

/** What the loader makes an isolate of: its only ways out are the network given here and the bridge of each call. */
export async function workerCode(
  env: HostEnv,
  language: PluginLanguage,
  { code, valves, packages }: IsolateParts,
  network: Fetcher | null,
): Promise<WorkerLoaderWorkerCode> {
  const made =
    language === "python"
      ? await pythonWorkerCode(env.PYTHON_ASSETS, { code, valves, packages })
      : javascriptWorkerCode(code, valves);
  return { ...made, globalOutbound: network, limits: { cpuMs } };
}
