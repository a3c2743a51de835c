import { sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { isMissingTable } from "../db/database-error.ts";

export type HealthReason = "database_unreachable" | "database_slow" | "schema_outdated";

/** Milliseconds within which the database has to answer. */
const timeoutMs = 1500;

/**
 * Level 1 of the contract: the database answers within 1.5 s and holds the schema that this build was made for.
 * One statement, one round trip; says nothing that a stranger may not know.
 */
export async function checkHealth(
  db: Database,
  expectedMigrations: readonly string[],
): Promise<HealthReason | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slow = new Promise<"slow">((resolve) => (timer = setTimeout(() => resolve("slow"), timeoutMs)));
  // Drizzle runs a statement at each `then`; a promise runs it once.
  const read = Promise.resolve(db.all<{ name: string }>(sql`SELECT name FROM schema_migrations ORDER BY name`));
  try {
    const rows = await Promise.race([read, slow]);
    if (rows === "slow") return "database_slow";
    const applied = new Set(rows.map((row) => row.name));
    // A newer schema is fine: while an upgrade rolls out, the old instances go on serving.
    return expectedMigrations.some((name) => !applied.has(name)) ? "schema_outdated" : undefined;
  } catch (error) {
    return isMissingTable(error) ? "schema_outdated" : "database_unreachable";
  } finally {
    clearTimeout(timer);
    read.catch(() => undefined);
  }
}
