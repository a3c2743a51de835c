import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { neededObjects } from "../../src/health/repair/object-keys.ts";
import { StartError } from "../launch/start-error.ts";
import { databaseName } from "./manifest.ts";
import { hasTable, storedObjects } from "./stored-objects.ts";

export interface Snapshot {
  moment: Date;
  migrations: string[];
  missingObjects: number;
}

const maxTries = 5;
/** All pages in one step: one read transaction, so one moment. Writers do not wait for it. */
const allPages = 2 ** 31 - 1;

/**
 * Copies the database, and then object storage, into a folder. The database comes first: an object is stored before the row that
 * names it, so all that the copy names is there already. Only a deletion in the second between the two can take one away; then both
 * are copied again. What is missing twice has been missing before.
 * @throws StartError when there is no database
 */
export async function takeSnapshot(dataDir: string, folder: string): Promise<Snapshot> {
  const source = path.join(dataDir, "db/dbs/default/data");
  if (!existsSync(source))
    throw new StartError(`There is no database in ${dataDir}. Set DATA to the data folder.`, "noInput");
  let missingBefore: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const moment = new Date();
    await copyDatabase(source, path.join(folder, databaseName));
    const lost = await copyObjects(path.join(dataDir, "state/r2"), path.join(folder, "state/r2"));
    const { missing, migrations } = compare(folder);
    const found = [...lost, ...missing].join("\n");
    if (found === "" || found === missingBefore || attempt === maxTries)
      return { moment, migrations, missingObjects: lost.length + missing.length };
    missingBefore = found;
  }
}

/** SQLite's online backup, also of a database that others write. */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const database = new DatabaseSync(source, { timeout: 10_000 });
  try {
    await backup(database, target, { rate: allPages });
  } finally {
    database.close();
  }
}

/** @returns ids of bytes that were deleted meanwhile */
async function copyObjects(source: string, target: string): Promise<string[]> {
  mkdirSync(target, { recursive: true });
  const ids = new Set<string>();
  const folders = existsSync(source) ? readdirSync(source) : [];
  for (const folder of folders) {
    for (const name of readdirSync(path.join(source, folder)).filter((each) => each.endsWith(".sqlite"))) {
      mkdirSync(path.join(target, folder), { recursive: true });
      const copy = path.join(target, folder, name);
      await copyDatabase(path.join(source, folder, name), copy);
      for (const id of readIds(copy)) ids.add(id);
    }
  }
  const lost = new Set(ids);
  for (const folder of folders.filter((each) => existsSync(path.join(source, each, "blobs")))) {
    const blobs = path.join(target, folder, "blobs");
    mkdirSync(blobs, { recursive: true });
    for (const id of ids) if (linkOrCopy(path.join(source, folder, "blobs", id), path.join(blobs, id))) lost.delete(id);
  }
  return [...lost];
}

/** Names of the files that hold the bytes of the objects. */
function readIds(file: string): string[] {
  const database = new DatabaseSync(file);
  try {
    if (!hasTable(database, "_mf_objects")) return [];
    const rows = database
      .prepare("SELECT blob_id FROM _mf_objects UNION SELECT blob_id FROM _mf_multipart_parts")
      .all() as { blob_id: string | null }[];
    return rows.flatMap(({ blob_id: id }) => id ?? []);
  } finally {
    database.close();
  }
}

/** The files are never changed. @returns false when there is none any more */
function linkOrCopy(source: string, target: string): boolean {
  for (const take of [linkSync, copyFileSync]) {
    try {
      take(source, target);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return true;
      if (code === "ENOENT") return false;
      // Some file systems have no links.
      if (take === copyFileSync) throw error;
    }
  }
  return false;
}

function compare(folder: string): { missing: string[]; migrations: string[] } {
  const database = new DatabaseSync(path.join(folder, databaseName));
  try {
    if (!hasTable(database, "schema_migrations")) return { missing: [], migrations: [] };
    const applied = database.prepare("SELECT name FROM schema_migrations ORDER BY name").all() as { name: string }[];
    const stored = new Set([...storedObjects(folder)].map(({ key }) => key));
    // The newest of the tables that it reads: a database from before is copied as it is.
    const named = hasTable(database, "plugin_databases") ? database.prepare(neededObjects).iterate() : [];
    const missing: string[] = [];
    for (const { key } of named as Iterable<{ key: string }>) if (!stored.has(key)) missing.push(key);
    return { missing, migrations: applied.map(({ name }) => name) };
  } finally {
    database.close();
  }
}
