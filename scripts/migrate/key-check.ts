import type { Client } from "@libsql/client";
import type { KeyRing } from "../../src/lib/key-ring.ts";
import { createVault } from "../../src/lib/vault.ts";

/** The keys are not those of this database; the message says what to do. */
export class WrongKeysError extends Error {}

/** For each key that was current once: a text that was sealed with it. Read before any migration, so it is none of them. */
const table = "schema_keys";
const checkText = "parley";

/**
 * Opens something that was sealed before. Statements, when all is well: one for the tables and one for the checks.
 * @throws WrongKeysError if the ring opens nothing, or has another key under the name of one
 */
export async function checkKeys(client: Client, ring: KeyRing): Promise<void> {
  const { rows: tables } = await client.execute(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND (name = '${table}' OR sql LIKE '%sealed_%')`,
  );
  const hasChecks = tables.some(({ name }) => name === table);
  const { rows: checks } = hasChecks
    ? await client.execute(`SELECT name, sealed FROM ${table}`)
    : { rows: await anySealed(client, tables) };
  const opened = await Promise.all(
    checks.map(async ({ name, sealed }) => ({ name: String(name), isOpen: await opens(ring, String(sealed)) })),
  );
  const other = hasChecks ? opened.find(({ name, isOpen }) => ring.has(name) && !isOpen) : undefined;
  if (opened.length === 0 || (other === undefined && opened.some(({ isOpen }) => isOpen))) return;
  const names = [...new Set(opened.map(({ name }) => name))].join(", ");
  throw new WrongKeysError(
    other === undefined
      ? `PARLEY_SECRET_KEYS does not open what is in the database, which was sealed with ${names}. Set the ring that the database was used with, or restore secrets.json of the data folder from the same backup.`
      : `PARLEY_SECRET_KEYS does not open what is in the database: it has another key under the name ${other.name}. Set the ring that the database was used with, or restore secrets.json of the data folder from the same backup.`,
  );
}

/** Stores the check of the current key, for the next start. @param onlyThis forget the checks of keys that are lost */
export async function rememberKeys(client: Client, ring: KeyRing, onlyThis = false): Promise<void> {
  const sealed = await createVault(ring).seal(checkText);
  await client.batch(
    [
      `CREATE TABLE IF NOT EXISTS ${table} (name TEXT PRIMARY KEY NOT NULL, sealed TEXT NOT NULL)`,
      ...(onlyThis ? [`DELETE FROM ${table}`] : []),
      { sql: `INSERT INTO ${table} (name, sealed) VALUES (?, ?) ON CONFLICT DO NOTHING`, args: [ring.current, sealed] },
    ],
    "write",
  );
}

/** For databases of versions before the checks: one sealed text of each column that holds some, with the name of its key. */
async function anySealed(
  client: Client,
  tables: readonly { [column: string]: unknown }[],
): Promise<{ name: string; sealed: string }[]> {
  const found: { name: string; sealed: string }[] = [];
  for (const { name, sql } of tables) {
    for (const column of new Set(String(sql).match(/\bsealed_\w+/g))) {
      const { rows } = await client.execute(
        `SELECT "${column}" FROM "${String(name)}" WHERE "${column}" LIKE 'v1.%' LIMIT 1`,
      );
      const sealed = rows[0]?.[column];
      if (typeof sealed === "string") found.push({ name: sealed.split(".")[1] ?? "", sealed });
    }
  }
  return found;
}

async function opens(ring: KeyRing, sealed: string): Promise<boolean> {
  try {
    await createVault(ring).open(sealed);
    return true;
  } catch {
    return false;
  }
}
