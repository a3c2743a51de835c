import process from "node:process";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { Cloudflare, CloudflareError } from "./edge/cloudflare.ts";
import { findQueue } from "./edge/steps.ts";
import { bucket, edgeWorkers, queues } from "./edge/workers.ts";
import { complain, say } from "./launch/say.ts";
import { exitCodes, StartError } from "./launch/start-error.ts";

/**
 * npm run undeploy [-- --data] [--yes]: deletes the Workers of a deployment, with what is open in their Durable Objects. The
 * database, the bucket and the queues stay for the next deployment; --data deletes queues and bucket too. The database is
 * deleted where it was created.
 */
async function confirm(account: string, what: string): Promise<void> {
  if (!process.stdin.isTTY) throw new StartError(`Say --yes to delete ${what} of ${account}.`, "usage");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`This deletes ${what} of ${account}. Type the name of the account to go on: `);
  lines.close();
  if (answer.trim() !== account) throw new StartError("Nothing was deleted.", "usage");
}

/** @returns whether it was there */
async function remove(cloudflare: Cloudflare, path: string): Promise<boolean> {
  try {
    await cloudflare.ask("DELETE", path);
    return true;
  } catch (error) {
    if (error instanceof CloudflareError && error.status === 404) return false;
    throw error;
  }
}

try {
  const { values } = parseArgs({ options: { data: { type: "boolean" }, yes: { type: "boolean" } } });
  const cloudflare = await Cloudflare.signIn();
  const what = values.data ? "the Workers, the queues and the bucket with all files" : "the Workers";
  if (!values.yes) await confirm(cloudflare.accountName, what);
  // Queues hold on to their consumer, and the service to the Workers that it is bound to.
  for (const { name } of edgeWorkers.toReversed())
    say(
      `Worker ${name}: ${(await remove(cloudflare, `/workers/scripts/${name}?force=true`)) ? "deleted" : "was not there"}`,
    );
  for (const name of values.data ? queues.toReversed() : []) {
    const id = await findQueue(cloudflare, name);
    if (id !== undefined) await cloudflare.ask("DELETE", `/queues/${id}`);
    say(`Queue ${name}: ${id === undefined ? "was not there" : "deleted"}`);
  }
  if (values.data)
    say(`Bucket ${bucket}: ${(await remove(cloudflare, `/r2/buckets/${bucket}`)) ? "deleted" : "was not there"}`);
  else say("Bucket, queues and database are kept: npm run deploy uses them again.");
} catch (error) {
  complain((error as Error).message);
  if (error instanceof CloudflareError && /not empty/i.test(error.message))
    complain(`Empty the bucket ${bucket} in the dashboard, or with rclone, and say it again.`);
  process.exitCode = error instanceof StartError ? error.exitCode : exitCodes.unavailable;
}
