import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { projectRoot } from "./project-root.ts";
import type { RuntimePlan } from "./runtime-plan.ts";
import { firstLine, StartError } from "./start-error.ts";

/** What assemble-runtime.ts ends with when a setting is wrong. */
const wrongSetting = 2;

/**
 * A process that waits for a plan and turns it into workerd's configuration. It is started early: it checks the
 * settings at once and loads what it needs while the launcher builds and starts the database.
 */
export class Assembler {
  readonly #child: ChildProcess;
  readonly #accepted: Promise<void>;
  readonly #ended: Promise<{ code: number | null; said: string }>;

  constructor() {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "assemble-runtime.ts")], {
      cwd: projectRoot,
      stdio: ["pipe", "pipe", "pipe"],
    });
    // What made it end early is told by its exit code and standard error.
    child.stdin.on("error", () => undefined);
    const said = text(child.stderr);
    // It says nothing there before it has found the settings right.
    this.#accepted = new Promise((resolve) => child.stdout.once("data", () => resolve()));
    this.#child = child;
    this.#ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => void said.then((words) => resolve({ code, said: words.trim() })));
    });
  }

  /**
   * Resolves when the settings are known to be right.
   * @throws StartError with all that are wrong
   */
  async check(): Promise<void> {
    const ended = await Promise.race([this.#accepted, this.#ended]);
    if (ended === undefined) return;
    if (ended.code === wrongSetting) throw new StartError(ended.said, "configuration");
    throw new Error(`The settings could not be checked: ${firstLine(ended.said)}`);
  }

  /** @throws Error when the configuration could not be made */
  async assemble(plan: RuntimePlan): Promise<Buffer> {
    this.#child.stdin?.end(JSON.stringify(plan));
    const { code, said } = await this.#ended;
    if (code !== 0) throw new Error(`The runtime's configuration could not be created: ${said}`);
    const configuration = readFileSync(plan.output);
    rmSync(plan.output);
    return configuration;
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}
