import path from "node:path";
import process from "node:process";
import { readLaunchOptions } from "./launch/launch-options.ts";
import { type LoneDatabase, startLoneDatabase } from "./launch/lone-database.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, say } from "./launch/say.ts";
import { exitCodes, explainFailure } from "./launch/start-error.ts";

/**
 * npm run database: the database of a data folder alone, migrated, for looking into it and for other programs. Prints its
 * address, its token and the key ring. Runs until Ctrl-C.
 */
let database: LoneDatabase | undefined;

async function stop(code: number): Promise<void> {
  await database?.stop();
  process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

try {
  const options = readLaunchOptions(process.env, process.argv.slice(2), projectRoot);
  database = await startLoneDatabase(options, "npm run database", (message) => {
    complain(message);
    void stop(exitCodes.internal);
  });
  say(`The database in ${options.dataDir} is running. Its address, its token and the key ring:\n`);
  for (const [name, value] of Object.entries(database.bindings)) say(`${name}='${value}'`);
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  await stop(failure.exitCode);
}
