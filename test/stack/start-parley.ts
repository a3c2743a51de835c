import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fillDataFolder } from "./migrated-folder.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Building anew, when the sources changed, is part of the first start. */
const startLimit = 90_000;

export interface ParleyOptions {
  /** Settings, beside those of the launcher. */
  env?: Record<string, string>;
  /** A data folder of one's own, which is then not removed; otherwise one where nothing has happened yet. */
  dataDir?: string;
  /** The folder is empty, as at the first start of all: otherwise its database has its schema already. */
  isFirst?: boolean;
  /** What is started, with its arguments; `npm start` otherwise. */
  command?: readonly [program: string, ...args: string[]];
}

export interface RunningProcess {
  pid: number;
  /** Resident memory in bytes. */
  rss: number;
  command: string;
}

/** The real thing, as `npm start` starts it, on a free port of 127.0.0.1. */
export interface Parley {
  readonly url: string;
  readonly dataDir: string;
  /** All that was printed so far. */
  readonly output: string;
  /** As Ctrl-C does; resolves when the launcher has ended. With its own data folder, removes that. */
  stop(): Promise<void>;
  /** As a service manager does, which sends SIGTERM and waits. */
  terminate(): Promise<void>;
  /** kill -9 of the launcher; resolves when it is gone. Its children may live a moment longer. */
  kill9(): Promise<void>;
  /** kill -9 of the launcher and everything below it at one moment, so that no part sees another one go. */
  kill9All(): Promise<void>;
  /** Starts again on the same data and the same port, after `kill9` or as a restart. */
  restart(): Promise<void>;
  /** The launcher and everything below it. */
  processes(): RunningProcess[];
}

/** A start that failed: `output` holds what was printed, `code` the exit code. */
export class StartFailure extends Error {
  readonly output: string;
  readonly code: number | null;
  constructor(output: string, code: number | null) {
    super(`Parley did not start (exit code ${code}):\n${output}`);
    this.output = output;
    this.code = code;
  }
}

/** @throws StartFailure when the launcher ends instead of saying that it is ready */
export async function startParley(options: ParleyOptions = {}): Promise<Parley> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), "parley-test-"));
  let output = "";
  let launcher: ChildProcess | undefined;
  let url = "";

  const start = async (port: string) => {
    const begin = output.length;
    // The shell hands over to Node by exec, so this child is the launcher itself.
    const [program, ...args] = options.command ?? ["/bin/sh", path.join(root, "scripts/start.sh")];
    const child = spawn(program, args, {
      cwd: root,
      env: {
        ...process.env,
        HOST: "127.0.0.1",
        PARLEY_STOP_WITH_PARENT: "1",
        ...options.env,
        PORT: options.env?.["PORT"] ?? port,
        DATA: dataDir,
      },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, as a terminal gives it: Ctrl-C goes to the whole group.
      detached: true,
    });
    launcher = child;
    url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        reject(new StartFailure(`${output.slice(begin)}\nnot ready within ${startLimit / 1000} s`, null));
      }, startLimit);
      for (const stream of [child.stdout, child.stderr]) {
        createInterface(stream).on("line", (line) => {
          output += `${line}\n`;
          const ready = /Parley is ready on (http[^\s"]+)/.exec(line);
          if (ready?.[1] !== undefined) {
            clearTimeout(timer);
            resolve(ready[1]);
          }
        });
      }
      child.once("close", (code) => {
        clearTimeout(timer);
        reject(new StartFailure(output.slice(begin), code));
      });
    });
  };

  const end = async (signal: NodeJS.Signals) => {
    const child = launcher;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    if (signal === "SIGINT") process.kill(-child.pid, signal);
    else child.kill(signal);
    await gone;
  };

  try {
    if (options.dataDir === undefined && !options.isFirst) await fillDataFolder(dataDir, options.env ?? {});
    await start("0");
  } catch (error) {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
  return {
    get url() {
      return url;
    },
    dataDir,
    get output() {
      return output;
    },
    async stop() {
      await end("SIGINT");
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
    terminate: () => end("SIGTERM"),
    kill9: () => end("SIGKILL"),
    kill9All() {
      const all = listBelow(launcher?.pid);
      // At once: none has the time to see another one end.
      for (const { pid } of all) signalIfAlive(pid, "SIGSTOP");
      const gone = end("SIGKILL");
      for (const { pid } of all.slice(1)) signalIfAlive(pid, "SIGKILL");
      return gone;
    },
    async restart() {
      await end("SIGINT");
      await start(new URL(url).port);
    },
    processes: () => listBelow(launcher?.pid),
  };
}

export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** A process and all its descendants that are alive. */
export function listBelow(root: number | undefined): RunningProcess[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,command="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null)
    .map(([, pid, parent, kilobytes, command = ""]) => ({
      pid: Number(pid),
      parent: Number(parent),
      rss: Number(kilobytes) * 1024,
      command,
    }));
  const found: RunningProcess[] = [];
  let level = rows.filter((row) => row.pid === root);
  while (level.length > 0) {
    found.push(...level.map(({ pid, rss, command }) => ({ pid, rss, command })));
    const parents = new Set(level.map((row) => row.pid));
    level = rows.filter((row) => parents.has(row.parent));
  }
  return found;
}
