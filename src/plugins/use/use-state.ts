import type { Environment } from "../../context.ts";
import type { HostTraffic } from "../plugin-host.ts";
import type { PluginEntry } from "../plugin-index.ts";

/** What one plugin did on one day and is not written yet. */
export interface PluginUse {
  family: PluginEntry["family"];
  id: string;
  /** Days since 1970 (UTC). */
  day: number;
  /** Epoch seconds of the last change. */
  at: number;
  calls: number;
  errors: number;
  bytesOut: number;
  bytesIn: number;
  durationMs: number;
  memory: number;
  /** By host and whether it was refused. */
  hosts: Map<string, HostTraffic>;
}

/** What one isolate remembers between requests. Never promises, streams or clients: those belong to one request. */
export interface UseState {
  waiting: Map<string, PluginUse>;
  /** When the next writing begins, epoch milliseconds. */
  flushAt: number;
}

/** Hosts of one plugin in one writing; those of further ones are counted, but not named. */
const maxHosts = 50;

/** By environment: one for each isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, UseState>();

export function pluginUseState(services: { environment: Environment }): UseState {
  let state = states.get(services.environment);
  if (!state) states.set(services.environment, (state = { waiting: new Map(), flushAt: 0 }));
  return state;
}

/** Adds up what belongs to the same plugin and day. */
export function addUse(state: UseState, use: PluginUse): void {
  const key = `${use.family}/${use.id}/${use.day}`;
  const known = state.waiting.get(key);
  if (!known) {
    state.waiting.set(key, use);
    return;
  }
  known.at = Math.max(known.at, use.at);
  known.calls += use.calls;
  known.errors += use.errors;
  known.bytesOut += use.bytesOut;
  known.bytesIn += use.bytesIn;
  known.durationMs += use.durationMs;
  known.memory = Math.max(known.memory, use.memory);
  for (const traffic of use.hosts.values()) addHost(known.hosts, traffic);
}

export function addHost(hosts: Map<string, HostTraffic>, traffic: HostTraffic): void {
  const key = `${traffic.isRefused ? "-" : "+"}${traffic.host}`;
  const known = hosts.get(key);
  if (known) {
    known.requests += traffic.requests;
    known.bytesOut += traffic.bytesOut;
    known.bytesIn += traffic.bytesIn;
  } else if (hosts.size < maxHosts) hosts.set(key, { ...traffic });
}
