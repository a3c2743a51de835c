import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { openDataFolder, openSecrets } from "./launch/data-folder.ts";
import { planDatabaseProcess } from "./launch/database-process.ts";
import { Guard, killLeftovers } from "./launch/guard.ts";
import { lockDataFolder } from "./launch/instance-lock.ts";
import { readLaunchOptions } from "./launch/launch-options.ts";
import { findFreePort } from "./launch/ports.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, say, StartError } from "./launch/say.ts";
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
  const { dataDir } = readLaunchOptions(process.env, process.argv.slice(2), projectRoot);
  const folder = openDataFolder(dataDir);
  await lockDataFolder(dataDir, () => "npm run database");
  await killLeftovers(folder.childrenFile);
  const secrets = openSecrets(folder, process.env);
  const port = await findFreePort();
  guard = new Guard(folder.childrenFile, mkdtempSync(path.join(tmpdir(), "parley-")));
  database = new SupervisedProcess(planDatabaseProcess(folder, port), guard, (message) => {
    complain(message);
    void stop(1);
  });
  await database.start();
  const bindings = { DB_URL: `http://127.0.0.1:${port}`, ...secrets };
  execFileSync(process.execPath, [path.join(projectRoot, "scripts/migrate.ts"), "--exclusive"], {
    env: { ...process.env, ...bindings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  say(`The database in ${dataDir} is running. For wrangler dev, put these lines into .dev.vars:\n`);
  for (const [name, value] of Object.entries(bindings)) say(`${name}='${value}'`);
} catch (error) {
  complain(error instanceof StartError ? error.message : String(error));
  await stop(1);
}
