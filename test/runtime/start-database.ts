import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@libsql/client/http";
import type { TestProject } from "vitest/node";
import { applyMigrations } from "../../scripts/migrate/apply-migrations.ts";
import { readMigrations } from "../../scripts/migrate/read-migrations.ts";
import { startSqld } from "../start-sqld.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Variables and secrets of the service under test. */
    runtimeBindings: Record<string, string>;
  }
}

/** A migrated sqld for the tests inside workerd, as `npm start` runs it. */
export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-runtime-test-"));
  const { url, token, stop } = await startSqld(dataDir);
  const client = createClient({ url, authToken: token });
  await applyMigrations(client, readMigrations(path.resolve(import.meta.dirname, "../../migrations")));
  client.close();

  const ring = { current: "k1", keys: { k1: randomBytes(32).toString("base64") } };
  project.provide("runtimeBindings", {
    DB_URL: url,
    DB_AUTH_TOKEN: token,
    PARLEY_SECRET_KEYS: JSON.stringify(ring),
    LOOKUP_GATE: "1",
  });
  return async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
