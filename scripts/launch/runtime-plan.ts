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
  /** The first one is reached from outside. */
  workers: BuiltWorker[];
  /** Folder of the built UI. */
  assets: string;
  host: string;
  port: number;
  /** Where Durable Objects and object storage are kept. */
  state: string;
  /** Folder for what need not be kept. */
  scratch: string;
  /** Unix socket where the plugin host is reached. */
  pluginSocket: string;
  /** Unix socket where the extractor is reached. */
  extractorSocket: string;
  /** Unix socket where passwords are hashed. */
  passwordsSocket: string;
  /** Unix socket where the launcher tells its numbers. */
  figuresSocket: string;
  /** Where all requests to providers end when nothing may leave; null otherwise. */
  asideProvider: string | null;
  /** Text bindings of the first Worker beside those from the environment. */
  bindings: Record<string, string>;
  /** File that gets workerd's configuration. It holds secrets. */
  output: string;
}
