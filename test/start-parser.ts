import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { TestProject } from "vitest/node";
import { openDataFolder, openSecrets } from "../scripts/launch/data-folder.ts";
import { planDatabaseProcess } from "../scripts/launch/database-process.ts";
import { findFreePort } from "../scripts/launch/ports.ts";

/** The database server that `npm start` runs, for its parser alone: there is nothing in it. */
export default async function startParser(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(`${tmpdir()}/parley-parser-`);
  const folder = openDataFolder(dataDir);
  const { DB_AUTH_TOKEN: token } = openSecrets(folder, {});
  const port = await findFreePort();
  const plan = planDatabaseProcess(folder, port);
  const sqld = plan.spawn();
  const ended = new AbortController();
  sqld.once("exit", () => ended.abort(new Error(`sqld ended. ${plan.lastWords()}`)));
  await plan.untilReady(ended.signal);
  project.provide("parser", { url: `http://127.0.0.1:${port}`, token });
  return async () => {
    const gone = new Promise<void>((resolve) => sqld.once("exit", () => resolve()));
    sqld.kill("SIGTERM");
    await gone;
    rmSync(dataDir, { recursive: true, force: true });
  };
}
