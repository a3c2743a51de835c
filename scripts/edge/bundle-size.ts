import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type EdgeWorker } from "./workers.ts";
import { runWrangler } from "./wrangler.ts";

/**
 * Builds a Worker as a deployment would.
 * @returns bytes, gzipped, of the modules that would be uploaded, without their source maps
 * @throws WranglerError when it cannot be built
 */
export async function measureBundle({ config }: EdgeWorker): Promise<number> {
  const out = mkdtempSync(path.join(tmpdir(), "parley-deploy-"));
  try {
    await runWrangler(["deploy", "--dry-run", "--outdir", out, "-c", config]);
    const modules = readdirSync(out).filter((file) => !file.endsWith(".map") && file !== "README.md");
    return modules.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(out, file))).length, 0);
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** For people: how large a Worker is, and whether it may be. */
export function describeBundle({ name, maxBytes }: EdgeWorker, size: number): string {
  const over = size > maxBytes ? ": over the budget" : "";
  return `${name}: ${(size / 1000).toFixed(0)} KB gzipped of ${maxBytes / 1000}${over}`;
}
