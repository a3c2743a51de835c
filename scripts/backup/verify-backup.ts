import path from "node:path";
import type { Manifest } from "./manifest.ts";
import { inPrivateFolder } from "./private-folder.ts";
import { restoreBackup } from "./restore-backup.ts";
import { tryAside } from "./start-aside.ts";

/**
 * Restores a backup into a folder of its own, starts it aside with this version, asks it for the levels of health, and removes it.
 * @param parent where there is room for all of it
 * @throws StartError with what is wrong
 */
export function verifyBackup(
  file: string,
  passphrase: string | undefined,
  tell: (line: string) => void,
  parent: string,
): Promise<Manifest> {
  return inPrivateFolder(parent, "parley-verify", async (folder) => {
    const dataDir = path.join(folder, "data");
    const manifest = await restoreBackup(file, passphrase, dataDir);
    await tryAside(dataDir, tell);
    return manifest;
  });
}
