import path from "node:path";
import type { Guard } from "../guard.ts";
import type { Confinement } from "../workerd/confinement.ts";
import { WorkerHost } from "../workerd/worker-host.ts";
import { compileExtractorConfig } from "./extractor-config.ts";
import { ExtractorPool } from "./extractor-pool.ts";
import { startExtractorRouter } from "./extractor-router.ts";

/**
 * The extractor of an instance. Documents that are being read when it is replaced are lost; anyone who reads them begins again.
 * @param scratch folder that only this user may enter
 */
export function createExtractorHost(scratch: string, guard: Guard, confinement: Confinement): WorkerHost {
  return new WorkerHost((worker) => {
    const socket = path.join(scratch, "extractor.sock");
    const confine = (folder: string) => confinement.prefix(folder, { network: false, maxOpenFiles: 256 });
    const configuration = () => compileExtractorConfig(worker(), scratch);
    const pool = new ExtractorPool({ folder: scratch, guard, confine, configuration });
    return { socket, pool, startRouter: () => startExtractorRouter(socket, pool) };
  });
}
