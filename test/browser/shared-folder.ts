import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** For services that live until the run ends: their data, and their processes in `*.pid`. */
    sharedFolder: string;
  }
}

/** Most milliseconds until a service that is told to stop is gone. */
const maxStopMs = 10_000;

/** Ends what files have shared, when the last of them is done: their own process cannot, since the runner kills it. */
export default function makeSharedFolder(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-test-"));
  project.provide("sharedFolder", folder);
  return async () => {
    for (const file of globSync(path.join(folder, "*.pid"))) await stop(Number(readFileSync(file, "utf8")));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** As Ctrl-C does. It may be ending already, because who started it is gone. */
async function stop(launcher: number): Promise<void> {
  const start = Date.now();
  let signal: NodeJS.Signals | 0 = "SIGINT";
  while (isAlive(launcher, signal) && Date.now() - start < maxStopMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    signal = 0;
  }
  isAlive(launcher, "SIGKILL");
}

function isAlive(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
