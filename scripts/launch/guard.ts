import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Ensures that no child outlives the launcher, even if it is killed without warning: a shell process in its own process
 * group knows their ids and kills them when its pipe from the launcher closes (guard.sh).
 */
export class Guard {
  readonly #childrenFile: string;
  readonly #scratch: string;
  readonly #running = new Map<number, string>();
  #shell: ChildProcess | undefined;
  #closed = false;

  /**
   * @param childrenFile where the ids are noted for the next start
   * @param scratch folder of this instance, removed at the end
   */
  constructor(childrenFile: string, scratch: string) {
    this.#childrenFile = childrenFile;
    this.#scratch = scratch;
    this.#start();
  }

  /** Watches over a child from now until it ends. */
  add(child: ChildProcess, name: string): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.#running.set(pid, name);
    this.#tell(`+${pid}`);
    this.#write();
    child.once("exit", () => {
      this.#running.delete(pid);
      this.#tell(`-${pid}`);
      this.#write();
    });
  }

  /** Ends the shell, which kills what is still there. */
  close(): void {
    this.#closed = true;
    this.#shell?.stdin?.end();
    rmSync(this.#childrenFile, { force: true });
  }

  #start(): void {
    const script = path.join(import.meta.dirname, "guard.sh");
    // Those that run already are told as arguments: it knows them as soon as it is there, whatever happens to the launcher.
    const shell = spawn("/bin/sh", [script, this.#scratch, ...[...this.#running.keys()].map(String)], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    shell.unref();
    // Its end is noticed by the exit event; a write that comes in between has nobody to reach.
    shell.stdin.on("error", () => shell.stdin.destroy());
    shell.once("exit", () => {
      if (!this.#closed) this.#start();
    });
    this.#shell = shell;
  }

  #tell(line: string): void {
    if (this.#shell?.stdin?.writable) this.#shell.stdin.write(`${line}\n`);
  }

  #write(): void {
    // The folder is not there any more when somebody removed it under the running instance.
    if (this.#closed || !existsSync(path.dirname(this.#childrenFile))) return;
    writeFileSync(this.#childrenFile, [...this.#running].map(([pid, name]) => `${pid} ${name}\n`).join(""));
  }
}

/**
 * If launcher and guard were killed together, their children are still running and write to the same database. The
 * caller holds the lock of the data folder, so all recorded children of the last instance must end. Resolves when they
 * are gone.
 */
export async function killLeftovers(childrenFile: string): Promise<void> {
  if (!existsSync(childrenFile)) return;
  for (const line of readFileSync(childrenFile, "utf8").split("\n")) {
    const [pid, name] = line.split(" ");
    if (pid === undefined || name === undefined) continue;
    for (let tries = 0; tries < 200 && commandOf(pid).includes(name); tries += 1) {
      if (tries === 0) process.kill(Number(pid), "SIGKILL");
      await wait(10);
    }
  }
  rmSync(childrenFile, { force: true });
}

/** The command line of a process; empty when there is none (ids are given again) or only its exit code is left. */
function commandOf(pid: string): string {
  const { stdout } = spawnSync("ps", ["-o", "stat=,command=", "-p", pid], { encoding: "utf8" });
  return stdout?.startsWith("Z") ? "" : (stdout ?? "");
}
