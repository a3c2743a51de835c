import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** What all that runs at the same time may need: databases, data folders, uploads. */
const neededBytes = 2 ** 31;

/**
 * Where tests keep what they write: in memory where the system has a folder there (Linux), because every commit of a
 * database waits for the disk otherwise. Containers often have 64 MB there, which is too little.
 */
export function memoryFolder(): string {
  if (process.platform !== "linux" || process.env["TMPDIR"]) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= neededBytes ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}
