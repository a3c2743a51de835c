import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { makeBackup } from "./backup/make-backup.ts";
import { folderPlace } from "./backup/place.ts";
import { inPrivateFolder } from "./backup/private-folder.ts";
import { megabytes, progressLine, seconds } from "./backup/progress.ts";
import { readPassphrase } from "./backup/read-passphrase.ts";
import { type DataFolder, openDataFolder, openSecrets } from "./launch/data-folder.ts";
import { planDatabaseProcess } from "./launch/database-process.ts";
import { Guard, killLeftovers } from "./launch/guard.ts";
import { lockDataFolder } from "./launch/instance-lock.ts";
import { migrateDatabase } from "./launch/migrate-database.ts";
import { findFreePort } from "./launch/ports.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say, step } from "./launch/say.ts";
import { makeScratchFolder } from "./launch/scratch-folder.ts";
import { explainFailure, type FailureKind, StartError } from "./launch/start-error.ts";
import { SupervisedProcess } from "./launch/supervised-process.ts";

/**
 * npm run upgrade: brings the data of a service that is stopped to this version. It backs up, tries this version on a copy, and only then
 * migrates. Whatever fails, DATA is as it was.
 */
ignoreClosedOutput();

async function upgrade(dataDir: string): Promise<void> {
  const folder = openDataFolder(dataDir);
  await lockDataFolder(dataDir, () => "npm run upgrade");
  await killLeftovers(folder.childrenFile);
  const line = progressLine("Backing up");
  const made = await makeBackup({
    dataDir,
    place: folderPlace(path.join(dataDir, "backups")),
    passphrase: readPassphrase(process.env),
    onProgress: line.show,
  });
  line.end();
  say(`  Backed up to ${made.where} (${megabytes(made.bytes)}, ${seconds(made.durationMs)})`);
  await tryCopy(made.where, dataDir);
  await inPrivateFolder(dataDir, "upgrade", async (aside) => {
    const copy = path.join(aside, "db");
    cpSync(folder.database, copy, { recursive: true });
    try {
      await step("Database migrated", () => migrate(folder));
    } catch (error) {
      rmSync(folder.database, { recursive: true, force: true });
      renameSync(copy, folder.database);
      throw error;
    }
  });
}

/** In a process of its own: it leaves the environment of this one alone. */
async function tryCopy(backup: string, dataDir: string): Promise<void> {
  const script = path.join(projectRoot, "scripts/verify-backup.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, backup, "--in", dataDir], {
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code === 0) return;
  const kinds: Record<number, FailureKind> = {
    65: "data",
    69: "unavailable",
    74: "inputOutput",
    75: "tryAgain",
    78: "configuration",
  };
  throw new StartError("This version does not work with a copy of the data.", kinds[code ?? 70] ?? "internal");
}

async function migrate(folder: DataFolder): Promise<void> {
  const guard = new Guard(folder.childrenFile, await makeScratchFolder());
  const port = await findFreePort();
  const database = new SupervisedProcess(planDatabaseProcess(folder, port), guard, complain);
  try {
    await database.start();
    process.env["SNAPSHOT_BEFORE_MIGRATION"] = "false";
    await migrateDatabase(
      folder,
      { DB_URL: `http://127.0.0.1:${port}`, ...openSecrets(folder, process.env) },
      Promise.resolve(),
    );
  } finally {
    await database.stop();
    guard.close();
  }
}

let exitCode = 0;
const dataDir = path.resolve(projectRoot, process.env["DATA"]?.trim() || ".data");
try {
  if (process.argv.length > 2)
    throw new StartError("upgrade takes no arguments. Set DATA to the data folder.", "usage");
  say(`Upgrading ${dataDir}`);
  await upgrade(dataDir);
  say("The data is ready for this version. Start it as usual.");
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(`${failure.message} ${dataDir} is as it was before.`);
  exitCode = failure.exitCode;
}
process.exit(exitCode);
