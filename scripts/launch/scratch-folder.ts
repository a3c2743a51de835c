import { existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { kindOf, StartError } from "./start-error.ts";

/** Somebody listens there for as long as the folder is in use. */
const marker = "alive.sock";
/** Versions before had only this one. */
const markers = [marker, "loopback.sock"];
const answerTimeoutMs = 1000;

/**
 * A folder for sockets and for what need not be kept, which only this user may enter. The guard removes it at the end. First
 * those go that were left behind because launcher and guard were killed together.
 */
export async function makeScratchFolder(): Promise<string> {
  await removeLeftFolders([tmpdir(), "/tmp", "/dev/shm"]);
  const folder = makeFolder();
  const server = createServer((socket) => socket.destroy());
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path.join(folder, marker), resolve);
  });
  return folder;
}

function makeFolder(): string {
  try {
    return mkdtempSync(path.join(tmpdir(), "parley-"));
  } catch (error) {
    throw new StartError(
      `TMPDIR is ${tmpdir()}, expected a writable folder (${(error as Error).message}). Make it, make room in it, or set TMPDIR to another one.`,
      kindOf(error, "cannotCreate"),
    );
  }
}

/**
 * Removes scratch folders of this user that nobody uses. A socket that refuses ends with its process in any case; a process id
 * could have been given again, or belong to another container that shares the folder.
 */
export async function removeLeftFolders(parents: readonly string[]): Promise<void> {
  const places = new Set(parents.filter((parent) => existsSync(parent)).map((parent) => realpathSync(parent)));
  for (const parent of places) {
    for (const name of namesIn(parent)) {
      const folder = path.join(parent, name);
      if (/^parley-[A-Za-z0-9]{6}$/.test(name) && isOwn(folder) && (await isLeft(folder)))
        rmSync(folder, { recursive: true, force: true });
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isOwn(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

/** A folder without any such socket is somebody else's, whatever its name. */
async function isLeft(folder: string): Promise<boolean> {
  const sockets = markers
    .map((name) => path.join(folder, name))
    .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isSocket());
  if (sockets.length === 0) return false;
  return (await Promise.all(sockets.map(refuses))).every(Boolean);
}

function refuses(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    const end = (isRefused: boolean) => {
      resolve(isRefused);
      socket.destroy();
    };
    // A stopped process (Ctrl-Z) lets people in and says nothing.
    socket.setTimeout(answerTimeoutMs, () => end(false));
    socket.once("connect", () => end(false));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code === "ECONNREFUSED"));
  });
}
