import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import type { PluginCall, PluginHost, PluginResult, PluginTraffic } from "../../../src/plugins/plugin-host.ts";
import { createPluginHost } from "../../../workers/ports/plugin-host-client.ts";
import { upgrade } from "../host/start-host.ts";

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
  /** As the service has it. */
  host: PluginHost;
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
    host: connectTo(token),
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

/** The client that the service uses. */
export function connectTo(given: string): PluginHost {
  const fetchUpgrade = (address: string, init: { headers: Headers }) => {
    const { host, pathname, search } = new URL(address);
    return upgrade(host, pathname + search, { authorization: init.headers.get("authorization")! });
  };
  const nowhere = { fetch: () => Promise.reject(new Error("not used")) } as unknown as Fetcher;
  return createPluginHost({ PLUGIN_HOST: nowhere }, { fetch: fetchUpgrade as unknown as typeof fetch, token: given });
}

export interface NativeOptions {
  plugin?: string;
  hosts?: string[];
  valves?: Record<string, unknown>;
  reserved?: Record<string, unknown>;
  streams?: boolean;
  answers?: unknown[];
  rights?: Record<string, unknown>;
  signal?: AbortSignal;
  timeoutMs?: number;
  host?: PluginHost;
  budget?: { callsPerMinute: number | null; secondsPerCall: null; bytesOutPerMinute: number | null };
}

export type NativeResult = PluginResult & {
  events: unknown[];
  questions: unknown[];
  chunks: unknown[];
  traffic: PluginTraffic[];
};

export async function callNative(
  runner: StartedRunner,
  source: string,
  method: string,
  args: Record<string, unknown> = {},
  options: NativeOptions = {},
): Promise<NativeResult> {
  const { hosts = [], valves = {}, rights = {} } = options;
  const asked = {
    events: [] as unknown[],
    questions: [] as unknown[],
    chunks: [] as unknown[],
    traffic: [] as PluginTraffic[],
  };
  const answers = [...(options.answers ?? [])];
  const session = (options.host ?? runner.host).open({
    plugin: options.plugin ?? "tool/native",
    fingerprint: JSON.stringify([source, valves, hosts]).slice(0, 20_000),
    language: "python",
    hosts,
    runner: runner.address,
    ...(options.budget ? { budget: options.budget } : {}),
    onTraffic: (traffic) => asked.traffic.push(traffic),
    load: () => Promise.resolve({ code: source, valves, packages: [] }),
  });
  const call: PluginCall = {
    method,
    args,
    reserved: options.reserved ?? {},
    signal: options.signal ?? new AbortController().signal,
    timeoutMs: options.timeoutMs ?? 30_000,
    capabilities: {
      async emit(event) {
        asked.events.push(event);
      },
      async call(event) {
        asked.questions.push(event);
        return answers.shift();
      },
      async request(name) {
        if (!(name in rights)) throw new Error("Not found");
        return rights[name];
      },
    },
    ...(options.streams ? { onChunk: (value) => void asked.chunks.push(value) } : {}),
  };
  try {
    return { ...(await session.call(call)), ...asked };
  } finally {
    session.close();
  }
}
