import type { Services } from "../../context.ts";
import { countedSession } from "../metrics.ts";
import type {
  PluginAfterwards,
  PluginCall,
  PluginCode,
  PluginResult,
  PluginSession,
  PluginTraffic,
} from "../plugin-host.ts";
import type { PluginEntry } from "../plugin-index.ts";
import { addHost, type PluginUse } from "./use-state.ts";
import { recordPluginUse } from "./write-use.ts";

type Watching = Pick<Services, "plugins" | "db" | "environment" | "log" | "now" | "waitUntil">;

/** A session whose calls and traffic are counted for the plugin's page, and kept within its budget. */
export function openWatched(services: Watching, entry: PluginEntry, code: PluginCode): PluginSession {
  const { budget } = entry;
  const record = (part: Partial<PluginUse>) => recordPluginUse(services, { ...emptyUse(services, entry), ...part });
  const session = services.plugins.open({
    ...code,
    budget,
    onTraffic: (traffic) => record(readTraffic(traffic)),
  });
  const counted = countedSession(services.environment, entry.family, session);
  return {
    async call(call): Promise<PluginResult> {
      const begun = performance.now();
      const watched = { ...call, afterwards: call.afterwards && watchedAfterwards(services, record, call.afterwards) };
      const result = await callInTime(counted, watched, budget?.secondsPerCall ?? null);
      record({ calls: 1, errors: result.ok ? 0 : 1, durationMs: performance.now() - begun });
      return result;
    },
    close: () => counted.close(),
  };
}

/** What goes on after the answer counts as time of the plugin, and the request stays for it. */
function watchedAfterwards(
  services: Watching,
  record: (part: Partial<PluginUse>) => void,
  afterwards: PluginAfterwards,
): PluginAfterwards {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    limitMs: afterwards.limitMs,
    check: () => afterwards.check(),
    begun() {
      afterwards.begun?.();
      services.waitUntil(promise);
    },
    ended(rest) {
      record({ durationMs: rest.durationMs });
      afterwards.ended(rest);
      resolve();
    },
  };
}

async function callInTime(session: PluginSession, call: PluginCall, seconds: number | null): Promise<PluginResult> {
  if (seconds === null || seconds * 1000 >= call.timeoutMs) return session.call(call);
  const result = await session.call({ ...call, timeoutMs: seconds * 1000 });
  if (result.ok || result.error.code !== "timeout") return result;
  const message = `Its budget of ${seconds} seconds for a call is used up`;
  return { ...result, error: { ...result.error, code: "budget", message } };
}

function emptyUse({ now }: Pick<Services, "now">, { family, id }: PluginEntry): PluginUse {
  const at = now();
  return {
    family,
    id,
    day: Math.floor(at / 86_400),
    at,
    calls: 0,
    errors: 0,
    bytesOut: 0,
    bytesIn: 0,
    durationMs: 0,
    memory: 0,
    hosts: new Map(),
  };
}

/** What comes from the process of a plugin may be anything: only counts and names of hosts are taken. */
function readTraffic({ hosts, memory }: PluginTraffic): Partial<PluginUse> {
  const known: PluginUse["hosts"] = new Map();
  let bytesOut = 0;
  let bytesIn = 0;
  for (const each of Array.isArray(hosts) ? hosts.slice(0, 1000) : []) {
    if (typeof each.host !== "string") continue;
    const traffic = {
      host: each.host.slice(0, 300).toWellFormed(),
      isRefused: each.isRefused === true,
      requests: count(each.requests),
      bytesOut: count(each.bytesOut),
      bytesIn: count(each.bytesIn),
    };
    bytesOut += traffic.bytesOut;
    bytesIn += traffic.bytesIn;
    addHost(known, traffic);
  }
  return { hosts: known, bytesOut, bytesIn, memory: count(memory) };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? Math.min(value, 1e15) : 0;
}
