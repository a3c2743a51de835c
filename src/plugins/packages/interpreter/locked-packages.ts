import * as z from "zod";
import { normalizeName } from "../wheel-index.ts";
import { readWheelName } from "../wheel-name.ts";

/** A package that was made for the interpreter itself, as the interpreter's lock file names it. */
export interface LockedPackage {
  /** Normalized (PEP 503). */
  name: string;
  version: string;
  filename: string;
  /** Of the file, hexadecimal. */
  sha256: string;
  /** Names of packages, normalized. */
  needs: string[];
}

export type LockedPackages = ReadonlyMap<string, LockedPackage>;

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string(),
      version: z.string(),
      file_name: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      depends: z.array(z.string()),
    }),
  ),
});

/**
 * Packages of a lock file (pyodide-lock.json) by their names. Those that are no wheels for this interpreter are left out, such as
 * shared libraries and tests, and so are those that need one of these.
 */
export function readLockFile(lock: unknown): LockedPackages {
  const packages = new Map<string, LockedPackage>();
  for (const { name, version, file_name: filename, sha256, depends } of Object.values(lockFile.parse(lock).packages)) {
    if (!readWheelName(filename)?.runsHere) continue;
    const needs = depends.map(normalizeName);
    packages.set(normalizeName(name), { name: normalizeName(name), version, filename, sha256, needs });
  }
  for (;;) {
    const unusable = [...packages.values()].filter(({ needs }) => needs.some((each) => !packages.has(each)));
    if (unusable.length === 0) return packages;
    for (const { name } of unusable) packages.delete(name);
  }
}

let read: Promise<LockedPackages> | undefined;

/** Those of the interpreter that plugins run on. It is read when it is first asked for: few ever need it. */
export function lockedPackages(): Promise<LockedPackages> {
  read ??= import("pyodide/pyodide-lock.json", { with: { type: "json" } }).then(({ default: lock }) =>
    readLockFile(lock),
  );
  return read;
}

/** Where the files of such packages may come from: an address that an administrator allowed, and what is there. */
export interface InterpreterPackages {
  /** Of the folder with the files. */
  address: string;
  packages: LockedPackages;
}
