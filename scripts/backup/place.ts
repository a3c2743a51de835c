import {
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  fsyncSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { kindOf, StartError } from "../launch/start-error.ts";
import { removeLeft } from "./private-folder.ts";

/** Where backups are kept. */
export interface Place {
  /**
   * Stores a file whole or not at all.
   * @returns its size in bytes
   */
  write(name: string, bytes: AsyncIterable<Buffer>): Promise<number>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** As people know it. */
  describe(name: string): string;
}

/** A folder of this machine. */
export function folderPlace(folder: string): Place {
  const of = (name: string) => path.join(folder, name);
  return {
    async write(name, bytes) {
      const partial = of(`.${name}.part-${process.pid}`);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeLeft(folder, /^\..+\.part-(\d+)$/);
        await pipeline(bytes, createWriteStream(partial, { mode: 0o600, flush: true }));
        const { size } = statSync(partial);
        renameSync(partial, of(name));
        syncFolder(folder);
        return size;
      } catch (error) {
        rmSync(partial, { force: true });
        throw cannotWrite(of(name), error);
      }
    },
    list: async () => (existsSync(folder) ? readdirSync(folder) : []),
    remove: async (name) => rmSync(of(name), { force: true }),
    describe: of,
  };
}

/** After that the new name outlives a power failure too. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function cannotWrite(file: string, error: unknown): unknown {
  if (error instanceof StartError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  const advice = isFull
    ? "The disk is full: make room, or choose another place."
    : "Choose a folder that can be written.";
  return new StartError(
    `The backup ${file} could not be written (${message}). ${advice}`,
    kindOf(error, "cannotCreate"),
  );
}
