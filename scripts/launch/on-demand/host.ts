import path from "node:path";
import type { Guard } from "../guard.ts";
import { compileLoneWorker } from "../workerd/compile-config.ts";
import type { Confinement } from "../workerd/confinement.ts";
import { WorkerHost } from "../workerd/worker-host.ts";
import { OnDemandPool, type PoolRules } from "./pool.ts";
import { startOnDemandRouter } from "./router.ts";

interface Kind extends PoolRules {
  v8Flags: readonly string[];
}

/**
 * For a document that nobody reads any more, in ms: a caller has often heard all that there is, and goes before the answer's end is
 * here. What takes longer is not worth its processor time.
 */
const documentsGraceMs = 200;

/** Reads documents. Those that are being read when it is replaced are lost; anyone who reads them begins again. */
export const documents: Kind = {
  name: "documents",
  // Several times what a document may take on the edge; what outgrows it ends the process before the machine suffers.
  v8Flags: ["--max-semi-space-size=8", "--max-old-space-size=400"],
  graceMs: documentsGraceMs,
};

/** Between hashes, in ms: somebody who mistypes finds it still there, and between two people's sign-ins it takes no memory. */
const passwordsIdleMs = 30_000;

/** For a hash that nobody waits for any more, in ms: it costs less than the start of a process. */
const passwordsGraceMs = 5000;

/** Hashes passwords: one at a time, as the service asks. */
export const passwords: Kind = {
  name: "passwords",
  // Hashes are outside of V8's heap: this is for its code, and little garbage.
  v8Flags: ["--max-semi-space-size=2", "--optimize-for-size", "--max-old-space-size=64"],
  maxProcesses: 1,
  idleMs: passwordsIdleMs,
  graceMs: passwordsGraceMs,
};

/**
 * A Worker without bindings and network, in processes that start when they are needed.
 * @param scratch folder that only this user may enter
 */
export function createOnDemandHost(
  { v8Flags, ...rules }: Kind,
  scratch: string,
  guard: Guard,
  confinement: Confinement,
): WorkerHost {
  return new WorkerHost((worker) => {
    const socket = path.join(scratch, `${rules.name}.sock`);
    const confine = (folder: string) => confinement.prefix(folder, { network: false, maxOpenFiles: 256 });
    const configuration = () => compileLoneWorker(rules.name, worker(), scratch, v8Flags);
    const pool = new OnDemandPool({ ...rules, folder: scratch, guard, confine, configuration });
    return { socket, pool, startRouter: () => startOnDemandRouter(socket, pool) };
  });
}
