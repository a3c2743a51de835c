import process from "node:process";

/** Milliseconds between looks; together with stopping well below the 3 s after which nothing may be left. */
const interval = 400;

/**
 * Calls `gone` when Parley was started by `npm start` and npm is there no more: whoever kills -9 the command that they
 * typed kills npm, which has no time to pass that on, and means Parley. The scripts of package.json `exec`, so that npm
 * is the parent here and its signals arrive.
 */
export function onStarterGone(gone: () => void): void {
  const command = process.env["npm_lifecycle_event"];
  if (command !== "start" && command !== "dev") return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    gone();
  }, interval);
  timer.unref();
}
