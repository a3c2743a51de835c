import { logLimit, outputLimit } from "../isolate.ts";
import { catchConsole, createRunner } from "./create-runner.ts";
import { readMeta, valvesExport } from "./source-meta.ts";

/** Whatever the service's own date is: later ones bring Node's modules and `process`, which plugins have no use for. */
const compatibilityDate = "2025-06-01";

const runner = `export const catchConsole = ${catchConsole.toString()};
export const createRunner = ${createRunner.toString()};`;

// Pollution of the common prototype, by values that people sent for instance, would otherwise last from call to call.
const main = `import { WorkerEntrypoint } from "cloudflare:workers";
import { AsyncLocalStorage } from "node:async_hooks";
import { catchConsole, createRunner } from "./runner.js";
import input from "./input.json";

Object.preventExtensions(Object.prototype);
const scope = new AsyncLocalStorage();
catchConsole(scope);
const runner = createRunner({ ...input, scope, load: () => import("./plugin.js") });

export default class extends WorkerEntrypoint {
  describe() {
    return runner.describe();
  }
  call(call, bridge) {
    return runner.call(call, bridge);
  }
}
`;

/**
 * The Worker code for the loader.
 * @param code as returned by compileSource
 */
export function javascriptWorkerCode(code: string, valves: Record<string, unknown>): WorkerLoaderWorkerCode {
  return {
    compatibilityDate,
    compatibilityFlags: ["nodejs_als"],
    mainModule: "main.js",
    modules: {
      "main.js": main,
      "runner.js": runner,
      "plugin.js": code,
      "input.json": { json: { meta: readMeta(code), valves, outputLimit, logLimit, valvesExport } },
    },
  };
}
