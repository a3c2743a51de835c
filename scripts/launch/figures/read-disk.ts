import { readdir, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { MachineFigures } from "../../../src/metrics/machine-figures.ts";
import type { DataFolder } from "../data-folder.ts";

/** sqld has about ten files. */
const maxFiles = 1000;

/** Files of people are not counted here: there may be very many, and the service knows their bytes. */
export async function readDisk({ dir, database }: DataFolder): Promise<MachineFigures["disk"]> {
  const [{ bavail, blocks, bsize }, names] = await Promise.all([statfs(dir), readdir(database, { recursive: true })]);
  const sizes = names.slice(0, maxFiles).map(async (name) => {
    // It may have gone meanwhile.
    const found = await stat(path.join(database, name)).catch(() => undefined);
    return found?.isFile() ? found.size : 0;
  });
  const databaseBytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, databaseBytes };
}
