import path from "node:path";
import { projectRoot } from "../launch/project-root.ts";

/** One Worker of the edge. */
export interface EdgeWorker {
  name: string;
  /** Its wrangler.toml, relative to the project. */
  config: string;
}

/** In the order of deployment: the service is bound to the others, which therefore come first. */
export const edgeWorkers: readonly EdgeWorker[] = [
  { name: "parley-passwords", config: "workers/passwords/wrangler.toml" },
  { name: "parley-extractor", config: "workers/extractor/wrangler.toml" },
  { name: "parley-plugin-host", config: "workers/plugin-host/wrangler.toml" },
  { name: "parley", config: "wrangler.toml" },
];

/** The program behind `wrangler`. */
export const wranglerScript = path.join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
