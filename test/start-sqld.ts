import { once } from "node:events";
import { openDataFolder, openSecrets } from "../scripts/launch/data-folder.ts";
import { planDatabaseProcess } from "../scripts/launch/database-process.ts";
import { findFreePort } from "../scripts/launch/ports.ts";

/** The database server that `npm start` runs, alone and with nothing in it that was not there before. */
export interface Sqld {
  /** `127.0.0.1:port`. */
  host: string;
  url: string;
  token: string;
  /** Resolves when the process has ended; the data stays. */
  stop(): Promise<void>;
}

/** @throws Error with its last words when it ends before it serves */
export async function startSqld(dataDir: string): Promise<Sqld> {
  const folder = openDataFolder(dataDir);
  const { DB_AUTH_TOKEN: token } = openSecrets(folder, {});
  const port = await findFreePort();
  const plan = planDatabaseProcess(folder, port);
  const sqld = plan.spawn();
  const gone = once(sqld, "exit");
  const early = new AbortController();
  sqld.once("exit", () => early.abort(new Error(`sqld ended. ${plan.lastWords()}`)));
  await plan.untilReady(early.signal);
  const host = `127.0.0.1:${port}`;
  return {
    host,
    url: `http://${host}`,
    token,
    async stop() {
      sqld.kill("SIGTERM");
      await gone;
    },
  };
}
