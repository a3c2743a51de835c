import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";

const named = process.env["PARLEY_TEST_PYTHON"];
const python = named ?? "python3";
const program = path.resolve("workers/native-runner/runner.py");
export const token = "a token of the tests";

/** Why the tests of the runner are skipped, or "". Where somebody names a Python, none is. */
export function whyNoPython(): string {
  if (named !== undefined) return "";
  const check = "import sys; sys.exit(sys.version_info < (3, 11) or sys.platform != 'linux')";
  return spawnSync(python, ["-c", check]).status === 0 ? "" : " needs Python 3.11 or later: see CONTRIBUTING.md";
}

export interface StartedRunner {
  address: string;
  /** What it said when it started. */
  said: string;
  pid: number;
  stop(): Promise<void>;
}

/** @throws Error with what it said, where it does not start */
export async function startRunner(options: Record<string, string> = {}): Promise<StartedRunner> {
  const child = spawn(python, [program], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      RUNNER_TOKEN: token,
      RUNNER_LISTEN: "127.0.0.1:0",
      // The Python of root may be one that other users cannot read.
      RUNNER_PLUGINS_AS_ROOT: String(process.getuid?.() === 0),
      ...options,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = /listens at (http:\S+[0-9])/.exec(said)?.[1];
        if (found) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(said)));
  });
  const address = await ready;
  return {
    address,
    get said() {
      return said;
    },
    pid: child.pid!,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
