import process from "node:process";
import { openDataFolder, openSecrets } from "./data-folder.ts";
import { planDatabaseProcess } from "./database-process.ts";
import { Guard, killLeftovers } from "./guard.ts";
import { lockDataFolder } from "./instance-lock.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { findFreePort } from "./ports.ts";
import { makeScratchFolder } from "./scratch-folder.ts";
import { SupervisedProcess } from "./supervised-process.ts";

/** The database of a data folder without the rest of Parley, for what runs the service by other means. */
export interface LoneDatabase {
  /** DB_URL, DB_AUTH_TOKEN and PARLEY_SECRET_KEYS. */
  bindings: Record<string, string>;
  /** A folder that is removed at the end. */
  scratch: string;
  stop(): Promise<void>;
}

/**
 * Starts the database and migrates it.
 * @param command by which a second start knows who uses the folder
 * @param giveUp called when the database keeps failing
 * @throws StartError when the folder is taken or cannot be used
 */
export async function startLoneDatabase(
  { dataDir, newKeys }: Pick<LaunchOptions, "dataDir" | "newKeys">,
  command: string,
  giveUp: (message: string) => void,
): Promise<LoneDatabase> {
  const folder = openDataFolder(dataDir);
  await lockDataFolder(dataDir, () => command);
  await killLeftovers(folder.childrenFile);
  const secrets = openSecrets(folder, process.env, newKeys);
  const port = await findFreePort();
  const scratch = await makeScratchFolder();
  const guard = new Guard(folder.childrenFile, scratch);
  const database = new SupervisedProcess(planDatabaseProcess(folder, port), guard, giveUp);
  const stop = async () => {
    await database.stop();
    guard.close();
  };
  try {
    await database.start();
    const bindings = { DB_URL: `http://127.0.0.1:${port}`, ...secrets };
    await migrateDatabase(folder, bindings, Promise.resolve());
    return { bindings, scratch, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
