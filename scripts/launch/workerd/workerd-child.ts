import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { Guard } from "../guard.ts";
import { readUsage, type Usage } from "./process-usage.ts";
import { workerdBinary } from "./workerd-binary.ts";

const startTimeoutMs = 10_000;

/** Chats come first: these processes get what they leave. */
const niceness = "10";

/** What stands in front of the program so that it may do less. @param folder of its socket */
export type Confine = (folder: string) => readonly string[];

/**
 * A workerd process beside the service's, for foreign code or documents. Its Worker answers `/ping` with 200, and is
 * reachable only over a Unix socket.
 */
export class WorkerdChild {
  readonly socketPath: string;
  /** Resolves when it answers; rejects when it ends before, or takes too long, which ends it. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended: the signal or the exit code in words. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #isGone = false;

  /**
   * @param configuration as compileConfig makes it, with a socket of the name `http`
   * @param socketPath in a folder of its own, which is made, and removed at the end
   */
  constructor(configuration: Buffer, socketPath: string, guard: Guard, confine: Confine = () => []) {
    this.socketPath = socketPath;
    const folder = path.dirname(socketPath);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    rmSync(socketPath, { force: true });
    const args = ["serve", "--binary", "--experimental", `--socket-addr=http=unix:${socketPath}`, "-"];
    const child = spawn("nice", ["-n", niceness, ...confine(folder), workerdBinary, ...args], {
      // What runs in it could write there without end, and anyone who reads it would have no time for anything else.
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      env: { PATH: process.env["PATH"], TZ: "UTC" },
    });
    this.#child = child;
    guard.add(child, "workerd");
    child.stdin.on("error", () => undefined);
    child.stdin.end(configuration);
    this.ended = new Promise((resolve) => {
      const end = (how: number | Error | null, signal?: string | null) => {
        this.#isGone = true;
        rmSync(socketPath, { force: true });
        rmSync(folder, { recursive: true, force: true });
        resolve(signal ?? (how instanceof Error ? how.message : `code ${how}`));
      };
      child.once("exit", end);
      child.once("error", end);
    });
    this.ready = this.#untilReady();
    // Anyone who waits for it is told.
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** What it takes just now; undefined when it has ended. */
  async usage(): Promise<Usage | undefined> {
    return this.pid === undefined ? undefined : readUsage(this.pid);
  }

  /** @param timeoutMs ms @returns whether it answered */
  ping(timeoutMs: number): Promise<boolean> {
    return this.#ask("GET", "/ping", timeoutMs);
  }

  /** Tells its Worker something. @param timeoutMs ms @returns whether it answered with 200 */
  post(address: string, timeoutMs: number): Promise<boolean> {
    return this.#ask("POST", address, timeoutMs);
  }

  #ask(method: string, address: string, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const asked = request(
        { socketPath: this.socketPath, path: address, method, timeout: timeoutMs, agent: false },
        (response) => {
          response.resume();
          response.once("end", () => resolve(response.statusCode === 200));
          response.once("error", () => resolve(false));
        },
      );
      asked.once("timeout", () => asked.destroy());
      asked.once("error", () => resolve(false));
      asked.end();
    });
  }

  async #untilReady(): Promise<void> {
    const deadline = performance.now() + startTimeoutMs;
    while (!(await this.ping(500))) {
      if (this.#isGone || this.#child.killed) throw new Error("It ended during startup");
      if (performance.now() > deadline) {
        this.kill();
        throw new Error("It did not start");
      }
      await wait(5);
    }
    // When memory runs short, the system ends it before anything else. It may refuse, as on other systems.
    try {
      writeFileSync(`/proc/${this.pid}/oom_score_adj`, "800");
    } catch {
      return;
    }
  }
}
