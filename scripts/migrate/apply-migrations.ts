import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "@libsql/client";
import type { Migration } from "./read-migrations.ts";

/** The database cannot be migrated to this version; the message says why and what to do. */
export class MigrationError extends Error {}

/** Longer than any migration takes; after that a holder counts as dead. Seconds. */
const lockSeconds = 60;

/**
 * Migrates a database to the newest schema: every migration once, in order, each completely or not at all. Concurrent
 * starts are safe: a row is the lock, and a migration's own row, whose name is unique, comes first in its transaction.
 * @param options.exclusive the caller knows that nobody else uses this database: an existing lock was left by a killed start
 * @param options.ready awaited before anything is changed, once it is known that the database fits
 * @param options.beforeFirst called with the name of the first one, before a database that is in use is changed
 * @returns names of the migrations that were applied now
 * @throws MigrationError if the database is newer than this version or a migration was changed after it was applied
 */
export async function applyMigrations(
  client: Client,
  migrations: readonly Migration[],
  {
    exclusive = false,
    ready,
    beforeFirst,
  }: {
    exclusive?: boolean;
    ready?: (() => Promise<unknown>) | undefined;
    beforeFirst?: ((pending: string) => Promise<void>) | undefined;
  } = {},
): Promise<string[]> {
  if (findPending(await readApplied(client), migrations).length === 0) return [];
  await ready?.();
  const holder = randomUUID();
  await client.batch(
    [
      "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL)",
      "CREATE TABLE IF NOT EXISTS schema_lock (id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1), holder TEXT NOT NULL, expires_at INTEGER NOT NULL)",
    ],
    "write",
  );
  if (exclusive) await client.execute("DELETE FROM schema_lock");
  await takeLock(client, holder);
  try {
    const applied: string[] = [];
    // Again under the lock: the one who held it before may have done all of it.
    const before = await readApplied(client);
    const pending = findPending(before, migrations);
    if (before.size > 0 && pending[0] !== undefined) await beforeFirst?.(pending[0].name);
    for (const migration of pending) {
      await applyOne(client, migration, holder);
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.execute({ sql: "DELETE FROM schema_lock WHERE holder = ?", args: [holder] });
  }
}

/** Checksums of what was applied, by name; empty for a new database. */
async function readApplied(client: Client): Promise<Map<string, string>> {
  const table = await client.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'");
  if (table.rows.length === 0) return new Map();
  const { rows } = await client.execute("SELECT name, checksum FROM schema_migrations");
  return new Map(rows.map((row) => [String(row["name"]), String(row["checksum"])]));
}

function findPending(applied: Map<string, string>, migrations: readonly Migration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const [name, checksum] of applied) {
    const expected = known.get(name);
    if (expected === undefined) {
      throw new MigrationError(
        `The database was created by a newer version of Parley: it has the migration ${name}, which this version does not know. Start that version, or restore a backup.`,
      );
    }
    if (expected !== checksum) {
      throw new MigrationError(
        `The migration ${name} was changed after it was applied to this database. Restore migrations/${name}.sql as it was; changes belong in a new migration.`,
      );
    }
  }
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  const lastApplied = migrations.findLastIndex((migration) => applied.has(migration.name));
  const skipped = pending.find((migration) => migrations.indexOf(migration) < lastApplied);
  if (skipped !== undefined) {
    throw new MigrationError(
      `The migration ${skipped.name} comes before migrations that are already applied. Give it a later number and generate it again.`,
    );
  }
  return pending;
}

async function applyOne(client: Client, migration: Migration, holder: string): Promise<void> {
  try {
    // migrate() is one transaction with foreign keys off, which rebuilding a table needs.
    await client.migrate([
      {
        sql: "INSERT INTO schema_migrations (name, checksum, applied_at) VALUES (?, ?, unixepoch())",
        args: [migration.name, migration.checksum],
      },
      { sql: "UPDATE schema_lock SET expires_at = unixepoch() + ? WHERE holder = ?", args: [lockSeconds, holder] },
      ...migration.statements,
    ]);
  } catch (error) {
    throw new MigrationError(
      `The migration ${migration.name} failed and was rolled back: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

async function takeLock(client: Client, holder: string): Promise<void> {
  const deadline = Date.now() + (lockSeconds + 30) * 1000;
  for (;;) {
    const { rowsAffected } = await client.execute({
      sql: `INSERT INTO schema_lock (id, holder, expires_at) VALUES (1, ?, unixepoch() + ?)
            ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
            WHERE schema_lock.expires_at <= unixepoch()`,
      args: [holder, lockSeconds],
    });
    if (rowsAffected === 1) return;
    if (Date.now() > deadline)
      throw new MigrationError("Another process has been migrating this database for more than a minute.");
    await wait(200);
  }
}
