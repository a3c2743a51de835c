import path from "node:path";
import { projectRoot } from "../launch/project-root.ts";

/** One Worker of the edge. */
export interface EdgeWorker {
  name: string;
  /** Its wrangler.toml, relative to the project. */
  config: string;
  /** Bytes of its modules, gzipped: every new isolate loads and compiles all of them before the first answer. */
  maxBytes: number;
}

/** The service, which is bound to the other Workers. */
export const service: EdgeWorker = { name: "parley", config: "wrangler.toml", maxBytes: 1_150_000 };

/** In the order of deployment. The plugin host is first: it needs the paid plan, so nothing is half done without one. */
export const edgeWorkers: readonly EdgeWorker[] = [
  { name: "parley-plugin-host", config: "workers/plugin-host/wrangler.toml", maxBytes: 250_000 },
  { name: "parley-passwords", config: "workers/passwords/wrangler.toml", maxBytes: 20_000 },
  // Most of it is the engine for PDF; nobody waits for its isolates as people wait for answers.
  { name: "parley-extractor", config: "workers/extractor/wrangler.toml", maxBytes: 4_000_000 },
  service,
];

export const bucket = "parley";
export const queues: readonly string[] = ["parley-extract", "parley-embed", "parley-webhooks"].flatMap((name) => [
  `${name}-dead`,
  name,
]);

/** The program behind `wrangler`. */
export const wranglerScript = path.join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
