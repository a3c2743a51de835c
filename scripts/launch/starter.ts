import process from "node:process";

/** Milliseconds between looks; together with stopping well below the 3 s after which nothing may be left. */
const intervalMs = 400;

/**
 * Calls `gone` when whoever started Parley is there no more. That is npm for `npm start`: to kill -9 the command that one
 * typed kills npm, which has no time to pass that on. The scripts of package.json `exec`, so that npm is the parent here
 * and its signals arrive. With PARLEY_STOP_WITH_PARENT=1 it is any parent; a test run that is killed leaves nothing behind.
 */
export function onStarterGone(gone: () => void): void {
  const command = process.env["npm_lifecycle_event"];
  if (command !== "start" && command !== "dev" && process.env["PARLEY_STOP_WITH_PARENT"] !== "1") return;
  const starter = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(timer);
    gone();
  }, intervalMs);
  timer.unref();
}
