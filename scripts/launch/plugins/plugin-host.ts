import path from "node:path";
import process from "node:process";
import type { Guard } from "../guard.ts";
import { ensurePythonAssets } from "../python-assets.ts";
import type { BuiltWorker } from "../runtime-plan.ts";
import { compileHostConfig } from "./host-config.ts";
import { PluginPool } from "./plugin-pool.ts";
import { type PluginRouter, startPluginRouter } from "./plugin-router.ts";

/** The plugin host of an instance. Until a plugin is used it is a listening socket and nothing else. */
export class PluginHost {
  /** Where the service reaches it. */
  readonly socket: string;
  readonly #pool: PluginPool;
  #worker: BuiltWorker | undefined;
  #router: PluginRouter | undefined;

  /** @param scratch folder that only this user may enter */
  constructor(scratch: string, guard: Guard) {
    this.socket = path.join(scratch, "plugins.sock");
    this.#pool = new PluginPool({
      folder: scratch,
      guard,
      configuration: async () =>
        compileHostConfig({
          worker: this.#worker!,
          assets: await ensurePythonAssets(),
          scratch,
          allowedPrivateHosts: process.env["OUTBOUND_ALLOWED_PRIVATE_HOSTS"] ?? "",
          extraAuthorities: process.env["NODE_EXTRA_CA_CERTS"],
        }),
    });
  }

  async start(worker: BuiltWorker): Promise<void> {
    this.#worker = worker;
    this.#router = await startPluginRouter(this.socket, this.#pool);
  }

  /** Calls that are under way end as if the host could not be reached. */
  replace(worker: BuiltWorker): void {
    if (worker.modulesRoot === this.#worker?.modulesRoot) return;
    this.#worker = worker;
    this.#pool.renew();
  }

  stop(): void {
    this.#router?.close();
    this.#pool.stop();
  }
}
