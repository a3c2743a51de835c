import path from "node:path";
import process from "node:process";
import type { Guard } from "../guard.ts";
import type { PluginOptions } from "../launch-options.ts";
import { ensurePythonAssets } from "../python-assets.ts";
import type { Confinement } from "../workerd/confinement.ts";
import { WorkerHost } from "../workerd/worker-host.ts";
import { compileHostConfig } from "./host-config.ts";
import { PluginPool } from "./plugin-pool.ts";
import { startPluginRouter } from "./plugin-router.ts";

/**
 * The plugin host of an instance.
 * @param scratch folder that only this user may enter
 */
export function createPluginHost(
  scratch: string,
  guard: Guard,
  confinement: Confinement,
  options: PluginOptions,
): WorkerHost {
  return new WorkerHost((worker) => {
    const socket = path.join(scratch, "plugins.sock");
    // Plugins with allowed hosts call them from here.
    const confine = (folder: string) => confinement.prefix(folder, { network: true, maxOpenFiles: 1024 });
    const configuration = async () =>
      compileHostConfig({
        worker: worker(),
        assets: await ensurePythonAssets(),
        scratch,
        allowedPrivateHosts: process.env["OUTBOUND_ALLOWED_PRIVATE_HOSTS"] ?? "",
        warmIsolates: options.warmIsolates,
        extraAuthorities: process.env["NODE_EXTRA_CA_CERTS"],
      });
    const pool = new PluginPool({ folder: scratch, guard, confine, configuration, ...options });
    return { socket, pool, startRouter: () => startPluginRouter(socket, pool) };
  });
}
