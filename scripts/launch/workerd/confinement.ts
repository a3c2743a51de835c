import { execFile } from "node:child_process";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { homedir, release } from "node:os";
import path from "node:path";
import process from "node:process";
import { projectRoot } from "../project-root.ts";
import { workerdBinary } from "./workerd-binary.ts";

/** What the system lets us take from processes: everything below, privileges only, or nothing. */
export type ConfinementLevel = "walls" | "privileges" | "none";

export interface ProcessNeeds {
  /** Whether it calls other hosts; without, it has a network of its own that leads nowhere. */
  network: boolean;
  maxOpenFiles: number;
}

const script = path.join(import.meta.dirname, "confine.sh");
const probeTimeoutMs = 5000;
/** Threads of a process; it has about a dozen. */
const maxThreads = 128;
/** From this version on, Linux counts them in each namespace; before, with all of the user's own processes. */
const countsInNamespaces = [5, 14] as const;
/** For root, who could otherwise take them again. Nobody else may, or needs to. */
const noCapabilities = ["--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"];

/**
 * What the processes for foreign code and documents may not do, in case that something leaves its isolate. It needs no
 * rights: Linux lets anyone put a process into namespaces of its own, unless the machine or its container forbids it. What is
 * there is tried once, with the tools of util-linux; nothing is built or installed.
 */
export class Confinement {
  readonly #hidden: readonly string[];
  readonly #scratch: string;
  #level: ConfinementLevel = "none";

  /**
   * @param folders what no such process may see, such as the data folder
   * @param scratch where the sockets are; each process keeps only the folder of its own one
   */
  constructor(folders: readonly string[], scratch: string) {
    this.#scratch = realpathSync(scratch);
    const needed = [projectRoot, workerdBinary].map((file) => realpathSync(file));
    const all = [...folders, ...homeFolders(), this.#scratch].flatMap(realPathOf);
    // Nothing could be started from a hidden folder.
    const isNeeded = (folder: string) => needed.some((file) => `${file}/`.startsWith(`${folder}/`)) || folder === "/";
    this.#hidden = [...new Set(all)].filter((folder) => !isNeeded(folder));
  }

  get level(): ConfinementLevel {
    return this.#level;
  }

  /** What holds, in words for the person who runs the service. */
  get words(): string {
    switch (this.#level) {
      case "walls":
        return "privileges, the files of the service, sight of other processes' memory; documents and passwords also the network";
      case "privileges":
        return "privileges (the system allows no namespaces)";
      case "none":
        return "nothing (the system has no setpriv)";
    }
  }

  /** Tries what the system lets us do; to be called before the first process. */
  async probe(): Promise<void> {
    if (process.platform !== "linux") return;
    const folder = path.join(this.#scratch, "probe");
    mkdirSync(folder, { recursive: true });
    try {
      for (const level of ["walls", "privileges"] as const) {
        if (!(await runs([...this.#prefix(level, folder, { network: false, maxOpenFiles: 256 }), workerdBinary])))
          continue;
        this.#level = level;
        return;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The beginning of a command line, in front of the program. @param folder of its socket */
  prefix(folder: string, needs: ProcessNeeds): readonly string[] {
    return this.#prefix(this.#level, folder, needs);
  }

  #prefix(level: ConfinementLevel, folder: string, { network, maxOpenFiles }: ProcessNeeds): readonly string[] {
    switch (level) {
      case "walls": {
        const namespaces = ["--user", "--map-root-user", "--mount", "--ipc", "--uts", ...(network ? [] : ["--net"])];
        const limits = [String(maxOpenFiles), String(canCountThreads(release()) ? maxThreads : 0)];
        return ["unshare", ...namespaces, "sh", script, realpathSync(folder), ...limits, ...this.#hidden, "--"];
      }
      case "privileges": {
        const lost = ["--no-new-privs", ...(process.getuid?.() === 0 ? noCapabilities : [])];
        const files = `--nofile=${maxOpenFiles}:${maxOpenFiles}`;
        return ["setpriv", ...lost, "prlimit", "--core=0:0", files, "--"];
      }
      case "none":
        return [];
    }
  }
}

/** @param version of the kernel, such as `5.10.0-28-amd64` */
export function canCountThreads(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return major > countsInNamespaces[0] || (major === countsInNamespaces[0] && minor >= countsInNamespaces[1]);
}

function realPathOf(folder: string): string[] {
  try {
    return [realpathSync(folder)];
  } catch {
    return [];
  }
}

function runs([program = "", ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { timeout: probeTimeoutMs, killSignal: "SIGKILL", env: { PATH: process.env["PATH"] } } as const;
    execFile(program, [...args, "--version"], options, (error) => resolve(error === null));
  });
}

/** In a container there may be neither HOME nor an entry for the user. */
function homeFolders(): string[] {
  try {
    return [homedir()];
  } catch {
    return [];
  }
}
