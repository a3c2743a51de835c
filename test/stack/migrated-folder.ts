import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { openDataFolder, openSecrets } from "../../scripts/launch/data-folder.ts";
import { hashSources } from "../../scripts/launch/source-hash.ts";
import { startSqld } from "../start-sqld.ts";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * Makes a data folder with secrets of its own and a database that has the current schema and nothing else: a start then has nothing
 * to migrate, which took a quarter of its processor time.
 * @param env what the service will be started with
 */
export async function fillDataFolder(dataDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const made = await migratedFolder();
  const folder = openDataFolder(dataDir);
  openSecrets(folder, env);
  cpSync(made, folder.database, { recursive: true });
}

/** The files of such a database, made once for these migrations. Beside and renamed, so that it is complete when it is there. */
async function migratedFolder(): Promise<string> {
  const sources = ["migrations", "package-lock.json", "scripts/migrate.ts", "scripts/migrate"];
  const folder = path.join(root, ".build", `migrated-${hashSources(root, sources, () => true, "")}`);
  if (existsSync(folder)) return folder;
  const old = globSync(path.join(root, ".build/migrated-*"));
  const unfinished = path.join(root, ".build", `unfinished-migrated-${process.pid}`);
  const sqld = await startSqld(unfinished);
  try {
    const env = { ...process.env, DB_URL: sqld.url, DB_AUTH_TOKEN: sqld.token };
    await promisify(execFile)(process.execPath, [path.join(root, "scripts/migrate.ts")], { env });
  } finally {
    await sqld.stop();
  }
  try {
    renameSync(path.join(unfinished, "db"), folder);
  } catch (error) {
    // Another one was faster.
    if (!existsSync(folder)) throw error;
  }
  for (const each of [unfinished, ...old]) rmSync(each, { recursive: true, force: true });
  return folder;
}
