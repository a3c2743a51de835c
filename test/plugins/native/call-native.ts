import type { PluginCall, PluginHost, PluginResult, PluginTraffic } from "../../../src/plugins/plugin-host.ts";
import { createPluginHost } from "../../../workers/ports/plugin-host-client.ts";
import { upgrade } from "../host/start-host.ts";
import { type StartedRunner, token } from "./start-runner.ts";

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
  const session = (options.host ?? connectTo(token)).open({
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
      async request(name, given) {
        if (!(name in rights)) throw new Error("Not found");
        const right = rights[name];
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
