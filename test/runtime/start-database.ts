import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@libsql/client/http";
import type { TestProject } from "vitest/node";
import { openDataFolder, openSecrets } from "../../scripts/launch/data-folder.ts";
import { planDatabaseProcess } from "../../scripts/launch/database-process.ts";
import { findFreePort } from "../../scripts/launch/ports.ts";
import { applyMigrations } from "../../scripts/migrate/apply-migrations.ts";
import { readMigrations } from "../../scripts/migrate/read-migrations.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Variables and secrets of the service under test. */
    runtimeBindings: Record<string, string>;
  }
}

/** A migrated sqld for the tests inside workerd, as `npm start` runs it. */
export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-runtime-test-"));
  const folder = openDataFolder(dataDir);
  const secrets = openSecrets(folder, {});
  const port = await findFreePort();
  const plan = planDatabaseProcess(folder, port);
  const sqld = plan.spawn();
  const ended = new AbortController();
  sqld.once("exit", () => ended.abort(new Error(`sqld ended. ${plan.lastWords()}`)));
  await plan.untilReady(ended.signal);

  const url = `http://127.0.0.1:${port}`;
  const client = createClient({ url, authToken: secrets.DB_AUTH_TOKEN });
  await applyMigrations(client, readMigrations(path.resolve(import.meta.dirname, "../../migrations")));
  client.close();

  const ring = { current: "k1", keys: { k1: randomBytes(32).toString("base64") } };
  project.provide("runtimeBindings", {
    DB_URL: url,
    DB_AUTH_TOKEN: secrets.DB_AUTH_TOKEN,
    PARLEY_SECRET_KEYS: JSON.stringify(ring),
    LOOKUP_GATE: "1",
  });
  return async () => {
    const gone = new Promise<void>((resolve) => sqld.once("exit", () => resolve()));
    sqld.kill("SIGTERM");
    await gone;
    rmSync(dataDir, { recursive: true, force: true });
  };
}
