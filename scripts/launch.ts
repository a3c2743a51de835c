import { flushCompileCache } from "node:module";
import process from "node:process";
import { Instance } from "./launch/instance.ts";
import { readLaunchOptions } from "./launch/launch-options.ts";
import { projectRoot } from "./launch/project-root.ts";
import { complain, ignoreClosedOutput, say, StartError } from "./launch/say.ts";
import { onStarterGone } from "./launch/starter.ts";

/** Parley on one machine: `npm start`, and with --dev `npm run dev`. Runs until it is told to stop. */
ignoreClosedOutput();

let instance: Instance | undefined;
let stopping = false;

async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
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
    void stop(0);
  });
}

onStarterGone(() => {
  complain("The program that started Parley is gone: stopping.");
  void stop(0);
});

try {
  const options = readLaunchOptions(process.env, process.argv.slice(2), projectRoot);
  say("Starting Parley");
  instance = await Instance.claim(options, (message) => {
    complain(message);
    complain(
      "Parley stops because one of its processes keeps failing. Your data is safe. Fix the cause and start it again.",
    );
    void stop(1);
  });
  const workers = await instance.start();
  if (options.dev) {
    const { serveWithReload } = await import("./launch/dev-server.ts");
    await serveWithReload(instance, options, workers);
  }
  say(`Parley is ready on ${instance.url}`);
  // Otherwise it is written at the end, which a process that is killed does not have.
  flushCompileCache();
} catch (error) {
  if (!stopping) {
    complain(
      error instanceof StartError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error),
    );
    await stop(1);
  }
}
