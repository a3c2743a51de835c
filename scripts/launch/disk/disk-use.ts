import { execFile } from "node:child_process";
import { readdir, stat, statfs } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { DiskFigures } from "../../../src/machine/schema.ts";
import type { DataFolder } from "../data-folder.ts";
import { emptySnapshots } from "./replication-log.ts";

/** Folders with very many files are counted at most so often, milliseconds. */
const countedForMs = 600_000;
/** Files that are looked at together. */
const filesAtOnce = 64;

/** What lies on the disk of the data folder, and how it is given back. */
export class DiskUse {
  readonly #folder: DataFolder;
  readonly #backups: string | undefined;
  #counted: { at: number; objects: number; sessions: number; backups: number } | undefined;
  #counting: Promise<void> | undefined;
  #compacting: Promise<number> | undefined;

  /** @param backups the folder where backups are kept, if it is one of this machine */
  constructor(folder: DataFolder, backups: string | undefined) {
    this.#folder = folder;
    this.#backups = backups;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder.dir);
    return bavail * bsize;
  }

  async read(): Promise<DiskFigures> {
    await this.#count();
    const [{ bavail, blocks, bsize }, files] = await Promise.all([
      statfs(this.#folder.dir),
      listSizes(path.join(this.#folder.database, "dbs/default")),
    ]);
    const database = sum(files.filter(({ name }) => /^data(?:-wal|-shm)?$/.test(name)));
    const { objects, sessions, backups } = this.#counted!;
    return {
      freeBytes: bavail * bsize,
      sizeBytes: blocks * bsize,
      parts: { database, log: sum(files) - database, objects, sessions, backups },
    };
  }

  /** Once a minute: bounds what sqld writes for replicas. */
  tidy(): void {
    emptySnapshots(this.#folder.database);
  }

  /** @returns bytes that were given back; of the run under way, if there is one */
  compact(): Promise<number> {
    this.#compacting ??= this.#compact().finally(() => (this.#compacting = undefined));
    return this.#compacting;
  }

  async #compact(): Promise<number> {
    const script = path.join(import.meta.dirname, "compact-database.ts");
    const file = path.join(this.#folder.database, "dbs/default/data");
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--disable-warning=ExperimentalWarning",
      script,
      file,
    ]);
    this.tidy();
    this.#counted = undefined;
    return Number(stdout);
  }

  #count(): Promise<void> {
    if (this.#counted !== undefined && Date.now() - this.#counted.at < countedForMs) return Promise.resolve();
    const { state } = this.#folder;
    const count = async () => {
      const [objects, sessions, backups] = await Promise.all([
        sizeOf(path.join(state, "r2")),
        sizeOf(path.join(state, "do")),
        this.#backups === undefined ? 0 : sizeOf(this.#backups),
      ]);
      this.#counted = { at: Date.now(), objects, sessions, backups };
    };
    this.#counting ??= count().finally(() => (this.#counting = undefined));
    return this.#counting;
  }
}

interface Sized {
  name: string;
  size: number;
}

const sum = (files: readonly Sized[]) => files.reduce((total, { size }) => total + size, 0);

async function sizeOf(folder: string): Promise<number> {
  return sum(await listSizes(folder));
}

async function listSizes(folder: string): Promise<Sized[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes: Sized[] = [];
  for (let at = 0; at < names.length; at += filesAtOnce) {
    const some = names.slice(at, at + filesAtOnce).map(async (name) => {
      // It may have gone meanwhile.
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      return { name, size: found?.isFile() ? found.size : 0 };
    });
    sizes.push(...(await Promise.all(some)));
  }
  return sizes;
}
