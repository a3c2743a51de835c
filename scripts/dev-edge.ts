import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { environmentNames } from "../src/compose/parse-environment.ts";
import { writeVariables } from "./edge/variables-file.ts";
import { edgeWorkers, wranglerScript } from "./edge/workers.ts";
import { ensureUi, linkUi } from "./launch/build.ts";
import { readLaunchOptions } from "./launch/launch-options.ts";
import { type LoneDatabase, startLoneDatabase } from "./launch/lone-database.ts";
import { findFreePort } from "./launch/ports.ts";
import { projectRoot } from "./launch/project-root.ts";
import { ensurePythonAssets, linkPythonAssets } from "./launch/python-assets.ts";
import { complain, say } from "./launch/say.ts";
import { exitCodes, explainFailure } from "./launch/start-error.ts";

/**
 * npm run dev:edge: all Workers as the edge binds them, under `wrangler dev`, with a database of this machine. Its data is in
 * `.data/edge`, or in `edge` below DATA. Unlike on the edge, bounds of memory and processor time are not enforced.
 */
let database: LoneDatabase | undefined;
let wrangler: ChildProcess | undefined;
let stopping = false;

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (wrangler && wrangler.exitCode === null && wrangler.signalCode === null) {
    const gone = new Promise((resolve) => wrangler?.once("exit", resolve));
    wrangler.kill("SIGTERM");
    await gone;
  }
  await database?.stop();
  process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

/** Starts all Workers and resolves when they serve. */
async function startWrangler(host: string, port: number, dataDir: string, { bindings, scratch }: LoneDatabase) {
  const given = environmentNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  const variables = path.join(scratch, "variables");
  writeFileSync(variables, writeVariables({ ...Object.fromEntries(given), ...bindings }), { mode: 0o600 });
  // The first one is the one that is served.
  const configs = edgeWorkers.toReversed().flatMap(({ config }) => ["-c", config]);
  const address = ["--ip", host, "--port", String(port), "--inspector-port", String(await findFreePort())];
  const state = ["--env-file", variables, "--persist-to", path.join(dataDir, "wrangler")];
  const args = [wranglerScript, "dev", ...configs, ...address, ...state, "--show-interactive-dev-session=false"];
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  wrangler = child;
  child.once("exit", (code) => {
    if (stopping) return;
    complain(`wrangler dev ended with ${code}.`);
    void stop(exitCodes.internal);
  });
  createInterface(child.stderr).on("line", complain);
  await new Promise<void>((resolve) => {
    createInterface(child.stdout).on("line", (line) => {
      say(line);
      if (/Ready on http/.test(line)) resolve();
    });
  });
}

/** wrangler dev calls no cron by itself. */
function tickEveryMinute(url: string): void {
  setInterval(() => {
    fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => complain("The minute's cron could not be called."));
  }, 60_000);
}

try {
  const options = readLaunchOptions(process.env, process.argv.slice(2), projectRoot);
  const dataDir = path.join(options.dataDir, "edge");
  const [assets, python] = await Promise.all([ensureUi(), ensurePythonAssets()]);
  linkUi(assets);
  linkPythonAssets(python);
  database = await startLoneDatabase({ ...options, dataDir }, "npm run dev:edge", (message) => {
    complain(message);
    void stop(exitCodes.internal);
  });
  const port = options.port === 0 ? await findFreePort() : options.port;
  await startWrangler(options.host, port, dataDir, database);
  const url = `http://${options.host}:${port}`;
  tickEveryMinute(url);
  say(`Parley is ready on ${url}`);
} catch (error) {
  const failure = explainFailure(error, [path.join(projectRoot, ".build")]);
  complain(failure.message);
  await stop(failure.exitCode);
}
