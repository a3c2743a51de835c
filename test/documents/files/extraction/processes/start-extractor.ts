import { writeFileSync } from "node:fs";
import path from "node:path";
import { ensureWorker } from "../../../../../scripts/launch/build.ts";
import { documents } from "../../../../../scripts/launch/on-demand/host.ts";
import type { PoolOptions } from "../../../../../scripts/launch/on-demand/pool.ts";
import type { BuiltWorker } from "../../../../../scripts/launch/runtime-plan.ts";
import { extractorWorker } from "../../../../../scripts/launch/topology.ts";
import type { Extractor } from "../../../../../src/documents/files/extraction/extractor.ts";
import { createExtractor } from "../../../../../workers/ports/extractor-client.ts";
import { type StartedOnDemand, startOnDemand } from "../../../../fixtures/start-on-demand.ts";

export interface StartedExtractor extends StartedOnDemand {
  /** As the service has it. */
  extractor: Extractor;
}

export interface StartOptions extends Partial<PoolOptions> {
  v8Flags?: string[];
  /** Code of a module that takes the place of the extractor's: it answers `/ping`, too. */
  script?: string;
}

/** The real extractor as `npm start` runs it, without the service: processes, router, and the client that the service uses. */
export async function startExtractor(options: StartOptions = {}): Promise<StartedExtractor> {
  const { script, v8Flags = documents.v8Flags, ...rules } = options;
  const build = async (folder: string) =>
    script === undefined ? await ensureWorker(extractorWorker) : builtOf(script, folder);
  const started = await startOnDemand({ ...documents, v8Flags }, build, rules);
  return { ...started, extractor: createExtractor({ EXTRACTOR: started.fetcher as never }) };
}

function builtOf(script: string, folder: string): BuiltWorker {
  const file = path.join(folder, "main.js");
  writeFileSync(file, script);
  const options = { compatibilityDate: "2026-11-01", compatibilityFlags: ["enable_request_signal"] };
  const modules = [{ type: "ESModule" as const, path: file }];
  return { name: "stand-in", modulesRoot: folder, modules, crons: [], workerFirst: [], options };
}
