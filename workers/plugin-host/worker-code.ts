import type { PluginLanguage, PluginPackage } from "../../src/plugins/plugin-host.ts";
import type { EgressProps } from "./egress.ts";
import type { HostEnv } from "./env.ts";
import { javascriptWorkerCode } from "./javascript/worker-code.ts";
import { pythonWorkerCode } from "./python/worker-code.ts";

/** The network of a plugin's isolate; null for none. */
export type Network = (props: EgressProps) => Fetcher | null;

export interface IsolateParts {
  code: string;
  valves: Record<string, unknown>;
  packages: PluginPackage[];
}

/** Processor time of one call on the edge, in ms; on one machine a watchdog replaces it. */
const cpuMs = 30_000;

/** The Worker code of an isolate: its only exits are the given network and the bridge of each call. */
export async function workerCode(
  env: HostEnv,
  language: PluginLanguage,
  { code, valves, packages }: IsolateParts,
  network: Fetcher | null,
): Promise<WorkerLoaderWorkerCode> {
  const made =
    language === "python"
      ? await pythonWorkerCode(env.PYTHON_ASSETS, env.PYTHON_FILES ?? env.PYTHON_ASSETS, { code, valves, packages })
      : javascriptWorkerCode(code, valves);
  return { ...made, globalOutbound: network, limits: { cpuMs } };
}
