import path from "node:path";
import type { Guard } from "../guard.ts";
import type { BuiltWorker } from "../runtime-plan.ts";
import { compileExtractorConfig } from "./extractor-config.ts";
import { ExtractorPool } from "./extractor-pool.ts";
import { startExtractorRouter } from "./extractor-router.ts";

/** The extractor of an instance. Until a document is read it is a listening socket and nothing else. */
export class ExtractorHost {
  /** Where the service reaches it. */
  readonly socket: string;
  readonly #pool: ExtractorPool;
  #worker: BuiltWorker | undefined;
  #router: { close(): void } | undefined;

  /** @param scratch folder that only this user may enter */
  constructor(scratch: string, guard: Guard) {
    this.socket = path.join(scratch, "extractor.sock");
    this.#pool = new ExtractorPool({
      folder: scratch,
      guard,
      configuration: () => compileExtractorConfig(this.#worker!, scratch),
    });
  }

  async start(worker: BuiltWorker): Promise<void> {
    this.#worker = worker;
    this.#router = await startExtractorRouter(this.socket, this.#pool);
  }

  /** Documents that are being read are lost; whoever reads them begins anew. */
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
