import path from "node:path";
import process from "node:process";
import { openDataFolder, openSecrets } from "./launch/data-folder.ts";
import { planDatabaseProcess } from "./launch/database-process.ts";
import { Guard, killLeftovers } from "./launch/guard.ts";
import { lockDataFolder } from "./launch/instance-lock.ts";
import { readLaunchOptions } from "./launch/launch-options.ts";
import { migrateDatabase } from "./launch/migrate-database.ts";
import { findFreePort } from "./launch/ports.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, say } from "./launch/say.ts";
import { makeScratchFolder } from "./launch/scratch-folder.ts";
import { exitCodes, explainFailure } from "./launch/start-error.ts";
import { SupervisedProcess } from "./launch/supervised-process.ts";

/**
 * npm run database: the database of a data folder alone, migrated, for `wrangler dev` and for looking into it. Prints
 * the lines that .dev.vars needs. Runs until Ctrl-C.
 */
let database: SupervisedProcess | undefined;
let guard: Guard | undefined;

async function stop(code: number): Promise<void> {
  await database?.stop();
  guard?.close();
  process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

try {
  const { dataDir, newKeys } = readLaunchOptions(process.env, process.argv.slice(2), projectRoot);
  const folder = openDataFolder(dataDir);
  await lockDataFolder(dataDir, () => "npm run database");
  await killLeftovers(folder.childrenFile);
  const secrets = openSecrets(folder, process.env, newKeys);
  const port = await findFreePort();
  guard = new Guard(folder.childrenFile, await makeScratchFolder());
  database = new SupervisedProcess(planDatabaseProcess(folder, port), guard, (message) => {
    complain(message);
    void stop(exitCodes.internal);
  });
  await database.start();
  const bindings = { DB_URL: `http://127.0.0.1:${port}`, ...secrets };
  await migrateDatabase(folder, bindings, Promise.resolve());
  say(`The database in ${dataDir} is running. For wrangler dev, put these lines into .dev.vars:\n`);
  for (const [name, value] of Object.entries(bindings)) say(`${name}='${value}'`);
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  await stop(failure.exitCode);
}
