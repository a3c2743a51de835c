import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { projectRoot } from "../launch/project-root.ts";
import { StartError } from "../launch/start-error.ts";
import { readMigrations } from "../migrate/read-migrations.ts";
import { databaseName, type Manifest } from "./manifest.ts";
import { inPrivateFolder, removeLeft } from "./private-folder.ts";
import { readArchive } from "./read-archive.ts";

const leftFolder = /^\.restore-(\d+)$/;
/** Only what is in a backup: a member with another name would be written elsewhere. */
const safeName = /^(?:[\w-]+\.(?:sqlite|json)|state\/r2(?:\/[\w-][\w.-]*)+)$/;

/**
 * Reads all of a backup without writing anything.
 * @throws StartError when it cannot be restored by this version
 */
export async function checkBackup(file: string, passphrase: string | undefined): Promise<Manifest> {
  const found = await readArchive(file, passphrase);
  const known = new Set(readMigrations(path.join(projectRoot, "migrations")).map(({ name }) => name));
  const unknown = found.migrations.find((name) => !known.has(name));
  if (unknown === undefined) return found;
  throw new StartError(
    `${file} was made by a newer version of Parley (${found.version}): this one does not know its migration ${unknown}. Use that version.`,
    "configuration",
  );
}

/**
 * Restores a backup into a folder that is empty or not there. Nothing is written before the whole file is known to be good, and the
 * folder gets its content at the end. The next start migrates an older database.
 * @throws StartError
 */
export async function restoreBackup(file: string, passphrase: string | undefined, dataDir: string): Promise<Manifest> {
  if (existsSync(dataDir)) removeLeft(dataDir, leftFolder);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new StartError(`${dataDir} is not empty. Set DATA to an empty or new folder.`, "cannotCreate");
  const checked = await checkBackup(file, passphrase);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Inside, because the folder may be a file system of its own.
  await inPrivateFolder(dataDir, "restore", async (folder) => {
    const made = new Set<string>();
    await readArchive(file, passphrase, async (name, content) => {
      if (!safeName.test(name)) throw new StartError(`${file} has an unexpected member ${name}.`, "data");
      const target = path.join(folder, name === databaseName ? "db/dbs/default/data" : name);
      const parent = path.dirname(target);
      if (!made.has(parent)) mkdirSync(parent, { recursive: true, mode: 0o700 });
      made.add(parent);
      await pipeline(content, createWriteStream(target, { mode: 0o600, flags: "wx", flush: true }));
    });
    for (const name of readdirSync(folder)) renameSync(path.join(folder, name), path.join(dataDir, name));
  });
  return checked;
}
