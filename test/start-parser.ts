import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { TestProject } from "vitest/node";
import { startSqld } from "./start-sqld.ts";

/** The database server that `npm start` runs, for its parser alone: there is nothing in it. */
export default async function startParser(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(`${tmpdir()}/parley-parser-`);
  const { url, token, stop } = await startSqld(dataDir);
  project.provide("parser", { url, token });
  return async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
