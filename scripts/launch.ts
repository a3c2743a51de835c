import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { Assembler } from "./launch/assemble.ts";
import { Instance } from "./launch/instance.ts";
import { type LaunchOptions, readLaunchOptions } from "./launch/launch-options.ts";
import { projectRoot } from "./launch/project-root.ts";
import { beginLog, complain, endFriendlyLines, ignoreClosedOutput, say } from "./launch/say.ts";
import { ServiceManager } from "./launch/service-manager.ts";
import { exitCodes, explainFailure, Faults, StartError } from "./launch/start-error.ts";
import { onStarterGone } from "./launch/starter.ts";
import { readVersion, versionWords } from "./launch/version.ts";

/** Parley on one machine: `npm start`, and with --dev `npm run dev`. Runs until it is told to stop. */
ignoreClosedOutput();
beginLog(process.env);

let instance: Instance | undefined;
let stopping = false;
const serviceManager = new ServiceManager();

/** @param drains let answers end first */
async function stop(exitCode: number, drains = false): Promise<void> {
  if (stopping) return;
  stopping = true;
  serviceManager.stopping();
  if (drains) await instance?.drain();
  await instance?.stop();
  process.exit(exitCode);
}

/** npm passes on the Ctrl-C that this process has had from the terminal already: that is one, not two. Milliseconds. */
const sameSignalMs = 500;
let stoppedAt: number | undefined;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    const now = performance.now();
    stoppedAt ??= now;
    // A second one: what is left is killed by the guard when this process ends.
    if (now - stoppedAt > sameSignalMs) process.exit(130);
    if (!stopping) say("Stopping ...");
    // Service managers and containers send SIGTERM and wait; who presses Ctrl-C does not want to.
    void stop(0, signal === "SIGTERM");
  });
}

onStarterGone(() => {
  complain("The program that started Parley is gone: stopping.");
  void stop(0);
});

/** Everything that is wrong with the environment is told at once; what the launcher reads itself costs no time. */
async function readOptions(assembler: Assembler): Promise<LaunchOptions> {
  try {
    return readLaunchOptions(process.env, process.argv.slice(2), projectRoot);
  } catch (error) {
    if (!(error instanceof StartError) || error.kind === "usage") throw error;
    const settings = await assembler.check().catch((other: unknown) => other);
    const faults = new Faults();
    for (const fault of [error, settings]) {
      faults.read(() => {
        if (fault instanceof Error) throw fault;
      }, undefined);
    }
    faults.throwAny();
    throw error;
  }
}

// Vite serves the page at the root.
if (process.argv.includes("--dev")) delete process.env["BASE_PATH"];

const assembler = new Assembler();
try {
  const options = await readOptions(assembler);
  const version = await readVersion();
  say(`Starting Parley ${versionWords(version)}`);
  instance = await Instance.claim(options, (message) => {
    complain(message);
    complain(
      "Parley stops because one of its processes keeps failing. Your data is safe. Fix the cause and start it again.",
    );
    void stop(exitCodes.internal);
  });
  const service = await instance.start(assembler, version.commit);
  if (options.dev) {
    const { serveWithReload } = await import("./launch/dev-server.ts");
    await serveWithReload(instance, options, service);
  }
  say(`Parley is ready on ${instance.url}`, instance.url);
  endFriendlyLines();
  serviceManager.ready();
  // Otherwise it is written at the end, which a process that is killed does not have.
  flushCompileCache();
} catch (error) {
  if (!stopping) {
    assembler.stop();
    const failure = explainFailure(error, [path.join(projectRoot, ".build"), tmpdir()]);
    complain(failure.message);
    await stop(failure.exitCode);
  }
}
