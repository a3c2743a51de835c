import path from "node:path";
import type { Guard } from "../guard.ts";
import { compileLoneWorker } from "../workerd/compile-config.ts";
import { Configuration } from "../workerd/configuration.ts";
import type { Confinement } from "../workerd/confinement.ts";
import { WorkerHost } from "../workerd/worker-host.ts";
import { PasswordProcess } from "./password-process.ts";

/** Hashes are outside of V8's heap: this is for its code, and little garbage. */
const v8Flags = ["--max-semi-space-size=2", "--optimize-for-size", "--max-old-space-size=64"];

/**
 * Where passwords are hashed: one process, which is always there. The service reaches it without a router.
 * @param scratch folder that only this user may enter
 */
export function createPasswordHost(scratch: string, guard: Guard, confinement: Confinement): WorkerHost {
  return new WorkerHost((worker) => {
    const socket = path.join(scratch, "passwords", "passwords.sock");
    const confine = (folder: string) => confinement.prefix(folder, { network: false, maxOpenFiles: 256 });
    const configuration = new Configuration(() => compileLoneWorker("passwords", worker(), scratch, v8Flags));
    const pool = new PasswordProcess(configuration, socket, guard, confine);
    return { socket, pool, startRouter: () => pool.start() };
  });
}
