import { rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { kindOf, StartError } from "./start-error.ts";

/** Relative to the data folder, because paths of sockets are limited to about 100 characters. */
const socketName = "launcher.sock";

/**
 * Ensures that only one instance uses a data folder. The lock is a listening socket in it: unlike a file with a process
 * id it ends with its process in any case, and cannot be mistaken for a later process with the same id. It does not
 * keep the process alive.
 * @param describe what a second start is told about this one, such as its address
 * @throws StartError if another instance uses the folder
 */
export async function lockDataFolder(dataDir: string, describe: () => string): Promise<void> {
  const inUse = (holder: string) =>
    new StartError(
      `The data folder ${dataDir} is in use by another Parley process (${holder}). Stop that process, or set DATA to another folder.`,
      "tryAgain",
    );
  const answer = () => `process ${process.pid}, ${describe()}`;
  if (await listen(dataDir, answer)) return;
  const holder = await askHolder(dataDir);
  if (holder !== undefined) throw inUse(holder);
  // Left behind by a process that was killed.
  rmSync(`${dataDir}/${socketName}`, { force: true });
  if (!(await listen(dataDir, answer))) throw inUse("started just now");
  // Two starts may both have found the socket dead; the later one has then removed the earlier one's. A moment later
  // the path answers for one of them only.
  await wait(50);
  const survivor = await askHolder(dataDir);
  if (!survivor?.startsWith(`process ${process.pid},`)) throw inUse(survivor ?? "started just now");
}

/** False when the socket exists already. */
function listen(dataDir: string, answer: () => string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end(answer());
    });
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else {
        const message = `DATA is ${dataDir}, expected a writable folder (${error.message}).`;
        reject(
          new StartError(`${message} Set DATA to a folder that can hold a socket.`, kindOf(error, "cannotCreate")),
        );
      }
    });
    within(dataDir, () => server.listen(socketName, () => resolve(true)));
    server.unref();
  });
}

/** What the instance that holds the lock says of itself; undefined when nobody listens. */
export function askHolder(dataDir: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = "";
    const socket = within(dataDir, () => createConnection(socketName));
    socket.setEncoding("utf8");
    // Anyone who accepts and says nothing holds it all the same: a stopped process (Ctrl-Z) does that.
    socket.setTimeout(1000, () => {
      resolve("which does not respond");
      socket.destroy();
    });
    socket.on("data", (chunk: string) => (said += chunk));
    socket.on("end", () => resolve(said));
    socket.on("error", () => resolve(undefined));
  });
}

/** Node resolves a socket's path inside the call, so the process is back in its own folder before anything else runs. */
function within<T>(folder: string, begin: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return begin();
  } finally {
    process.chdir(before);
  }
}
