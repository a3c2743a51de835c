import process from "node:process";

/** Milliseconds between looks; together with stopping well below the 3 s after which nothing may be left. */
const intervalMs = 400;

/**
 * Calls `gone` when the process that started Parley is gone. That is npm for `npm start`: `kill -9` of the typed
 * command kills npm, which cannot pass the signal on. The scripts in package.json use `exec`, so that npm is the parent
 * here and its signals arrive. With PARLEY_STOP_WITH_PARENT=1 it is any parent, so that a killed test run leaves
 * nothing behind.
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
