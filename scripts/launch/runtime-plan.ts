/** Where a build of the service has the Worker that stands for the platform (workers/machine/main.ts). */
export const machineFile = "machine.js";

/** A built Worker: everything needed to run it without wrangler. */
export interface BuiltWorker {
  name: string;
  /** Folder with the bundle. */
  modulesRoot: string;
  modules: { type: "ESModule" | "CompiledWasm" | "Text" | "Data"; path: string }[];
  crons: string[];
  /** Paths that the Worker answers itself; all others are files of the UI. */
  workerFirst: string[];
  /** Options as `unstable_getMiniflareWorkerOptions` of wrangler gives them, without module rules. */
  options: Record<string, unknown> & { compatibilityDate: string };
}

/** The launcher's request to assemble-runtime.ts. */
export interface RuntimePlan {
  service: BuiltWorker;
  /** File with the Worker that stands for the platform, built with the service. */
  machine: string;
  /** Folder of the built UI. */
  assets: string;
  host: string;
  port: number;
  /** Where Durable Objects and object storage are kept. */
  state: string;
  /** Folder for what need not be kept. */
  scratch: string;
  /** Unix sockets of what runs beside the service, by the names of its bindings. */
  sockets: Record<string, string>;
  /** `host:port` where all requests to providers end when nothing may leave; null otherwise. */
  asideProvider: string | null;
  /** Text bindings beside those from the environment. */
  bindings: Record<string, string>;
  /** File that gets workerd's configuration. It holds secrets. */
  output: string;
}
