import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type {
  Described,
  PluginAfterwards,
  PluginCall,
  PluginPackage,
  PluginResult,
  PluginTraffic,
} from "../../../src/plugins/plugin-host.ts";
import { type StartedHost, startHost } from "../host/start-host.ts";

export interface PythonOptions {
  valves?: Record<string, unknown>;
  reserved?: Record<string, unknown>;
  streams?: boolean;
  /** What the person answers, one after the other. */
  answers?: unknown[];
  /** What the caller's rights give, by name; a function may throw. */
  rights?: Record<string, unknown>;
  hosts?: string[];
  packages?: PluginPackage[];
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Other isolates than those of other calls of this source. */
  fingerprint?: string;
  onEvent?: (event: unknown) => void;
  onTraffic?: (traffic: PluginTraffic) => void;
  afterwards?: PluginAfterwards | undefined;
}

export type PythonResult = PluginResult & {
  events: unknown[];
  questions: unknown[];
  requests: [string, unknown][];
  chunks: unknown[];
};

export interface PythonHost {
  started: StartedHost;
  describe(source: string, packages?: PluginPackage[]): Promise<Described>;
  call(source: string, method: string, args?: Record<string, unknown>, options?: PythonOptions): Promise<PythonResult>;
  stop(): Promise<void>;
}

/** Each isolate takes about 110 MB until its process ends, and what has more than 450 MB is ended when it idles. */
const isolatesPerProcess = 2;

/** A started plugin host for Python plugins. A few sources share a process, as they would where there are many plugins. */
export async function startPythonHost(allowedPrivateHosts = "", { cpuSeconds = 30 } = {}): Promise<PythonHost> {
  const limits = { cpuSeconds, wallSeconds: 60, memory: 3e9 };
  const started = await startHost({ python: true, allowedPrivateHosts, maxProcesses: 2, limits });
  const isolates = new Map<string, number>();
  const processOf = (fingerprint: string) => {
    if (!isolates.has(fingerprint)) isolates.set(fingerprint, isolates.size);
    return `tool/python-${Math.floor((isolates.get(fingerprint) ?? 0) / isolatesPerProcess)}`;
  };
  return {
    started,
    describe: (source, packages = []) => started.host.describe(source, packages),
    call: (source, method, args, options) => callPython(started, processOf, source, method, args, options),
    stop: () => started.stop(),
  };
}

async function callPython(
  { host }: StartedHost,
  processOf: (fingerprint: string) => string,
  source: string,
  method: string,
  args: Record<string, unknown> = {},
  options: PythonOptions = {},
): Promise<PythonResult> {
  const { valves = {}, hosts = [], packages = [], rights = {} } = options;
  const asked = {
    events: [] as unknown[],
    questions: [] as unknown[],
    requests: [] as [string, unknown][],
    chunks: [] as unknown[],
  };
  const answers = [...(options.answers ?? [])];
  const fingerprint =
    options.fingerprint ?? fingerprintOf([source, valves, hosts, packages.map(({ sha256 }) => sha256)]);
  const session = host.open({
    plugin: processOf(fingerprint),
    fingerprint,
    language: "python",
    hosts,
    ...(options.onTraffic ? { onTraffic: options.onTraffic } : {}),
    load: () => Promise.resolve({ code: source, valves, packages }),
  });
  const call: PluginCall = {
    method,
    args,
    reserved: options.reserved ?? {},
    signal: options.signal ?? new AbortController().signal,
    timeoutMs: options.timeoutMs ?? 30_000,
    afterwards: options.afterwards,
    capabilities: {
      async emit(event) {
        asked.events.push(event);
        options.onEvent?.(event);
      },
      async call(event) {
        asked.questions.push(event);
        return answers.shift();
      },
      async request(name, given) {
        asked.requests.push([name, given]);
        const right = rights[name];
        if (right === undefined) throw new Error(`Not found`);
        return typeof right === "function" ? (right as (given: unknown) => unknown)(given) : right;
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

function fingerprintOf(parts: unknown): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A plugin of the corpus in test/fixtures/plugins/python. */
export function readFixture(name: string): string {
  return readFileSync(path.join(import.meta.dirname, "../../fixtures/plugins/python", `${name}.py`), "utf8");
}
