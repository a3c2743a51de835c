import { statSync } from "node:fs";
import path from "node:path";
import { StartError } from "../launch/start-error.ts";
import { readVersion } from "../launch/version.ts";
import { backupName } from "./backup-name.ts";
import { folderPlace, type Place } from "./place.ts";
import { inPrivateFolder } from "./private-folder.ts";
import { type Retention, superfluous } from "./retention.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { writeArchive } from "./write-archive.ts";

export interface BackupOrder {
  /** Absolute path. */
  dataDir: string;
  place: Place;
  /** A name of its own when absent. */
  name?: string;
  passphrase: string | undefined;
  /** What else is kept there; everything when absent. */
  keep?: Retention | undefined;
  /** @param part from 0 to 1 */
  onProgress(part: number): void;
}

export interface Backup {
  /** Where it is, as people know it. */
  where: string;
  bytes: number;
  durationMs: number;
  moment: Date;
  missingObjects: number;
}

/** `s3://bucket/prefix`, or a folder. @throws StartError */
export async function openPlace(address: string, env: NodeJS.ProcessEnv): Promise<Place> {
  if (!address.startsWith("s3://")) return folderPlace(path.resolve(address));
  const { s3Place } = await import("./s3-place.ts");
  return s3Place(address, env);
}

/**
 * Backs up a data folder, whether a service runs on it or not.
 * @throws StartError when there is nothing to back up, or it cannot be written
 */
export async function makeBackup(order: BackupOrder): Promise<Backup> {
  const { dataDir, place, passphrase, keep, onProgress } = order;
  const begin = performance.now();
  const version = await readVersion();
  return inPrivateFolder(requireFolder(dataDir), "backup", async (folder) => {
    const snapshot = await takeSnapshot(dataDir, folder);
    const secretsFile = path.join(dataDir, "secrets.json");
    const name = order.name ?? backupName(snapshot.moment, passphrase !== undefined);
    const archive = writeArchive({ folder, secretsFile, snapshot, version, passphrase, onProgress });
    const bytes = await place.write(name, archive);
    if (keep !== undefined) for (const old of superfluous(await place.list(), keep)) await place.remove(old);
    const { moment, missingObjects } = snapshot;
    return { where: place.describe(name), bytes, durationMs: performance.now() - begin, moment, missingObjects };
  });
}

function requireFolder(dataDir: string): string {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return dataDir;
  throw new StartError(`There is no folder ${dataDir}. Set DATA to the data folder.`, "noInput");
}
