import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureWorker } from "../../../../../scripts/launch/build.ts";
import { compileExtractorConfig } from "../../../../../scripts/launch/extractor/extractor-config.ts";
import { ExtractorPool, type ExtractorPoolOptions } from "../../../../../scripts/launch/extractor/extractor-pool.ts";
import { startExtractorRouter } from "../../../../../scripts/launch/extractor/extractor-router.ts";
import { Guard } from "../../../../../scripts/launch/guard.ts";
import type { BuiltWorker } from "../../../../../scripts/launch/runtime-plan.ts";
import { extractorWorker } from "../../../../../scripts/launch/topology.ts";
import type { Extractor } from "../../../../../src/documents/files/extraction/extractor.ts";
import { createExtractor } from "../../../../../workers/ports/extractor-client.ts";

export interface StartedExtractor {
  /** As the service has it. */
  extractor: Extractor;
  pool: ExtractorPool;
  stop(): Promise<void>;
}

export interface StartOptions extends Partial<ExtractorPoolOptions> {
  v8Flags?: string[];
  /** Code of a module that takes the place of the extractor's: it answers `/ping`, too. */
  script?: string;
}

/** The real extractor as `npm start` runs it, without the service: processes, router, and the client that the service uses. */
export async function startExtractor(options: StartOptions = {}): Promise<StartedExtractor> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-extractor-"));
  const guard = new Guard(path.join(folder, "children"), folder);
  const worker = options.script === undefined ? await ensureWorker(extractorWorker) : builtOf(options.script, folder);
  const configuration = () => compileExtractorConfig(worker, folder, options.v8Flags);
  const pool = new ExtractorPool({ folder, guard, configuration, ...options });
  const socketPath = path.join(folder, "extractor.sock");
  const router = await startExtractorRouter(socketPath, pool);
  // Node's own fetch knows no Unix sockets.
  const bridge = createServer((caller) => {
    const there = connect(socketPath);
    caller.pipe(there).pipe(caller);
    caller.on("error", () => there.destroy());
    there.on("error", () => caller.destroy());
    caller.once("close", () => there.destroy());
    there.once("close", () => caller.destroy());
  });
  await new Promise<void>((resolve) => bridge.listen(0, "127.0.0.1", resolve));
  const { port } = bridge.address() as { port: number };
  const fetcher = {
    fetch: (url: string, init: RequestInit) =>
      fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, { ...init, duplex: "half" } as RequestInit),
  };
  return {
    extractor: createExtractor({ EXTRACTOR: fetcher as never }),
    pool,
    async stop() {
      bridge.close();
      router.close();
      const { processes } = pool;
      pool.stop();
      await Promise.all(processes.map(({ ended }) => ended));
      guard.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function builtOf(script: string, folder: string): BuiltWorker {
  const file = path.join(folder, "main.js");
  writeFileSync(file, script);
  const options = { compatibilityDate: "2026-11-01", compatibilityFlags: ["enable_request_signal"] };
  const modules = [{ type: "ESModule" as const, path: file }];
  return { name: "stand-in", modulesRoot: folder, modules, crons: [], workerFirst: [], options };
}
