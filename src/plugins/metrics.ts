import { Counter, Histogram, type Owner } from "../lib/metrics/series.ts";
import type { PluginResult, PluginSession } from "./plugin-host.ts";

export const pluginCallCount = new Counter({
  name: "parley_plugin_calls",
  help: "Calls of plugins by family (function or tool) and outcome: ok, or why it failed.",
  labels: ["family", "outcome"],
});

export const pluginCallDuration = new Histogram({
  name: "parley_plugin_call_duration_seconds",
  unit: "seconds",
  help: "How long calls of plugins take, with the time that people take to answer their questions.",
  labels: ["family"],
  bounds: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
});

/** The same session, with its calls counted. */
export function countedSession(owner: Owner, family: string, session: PluginSession): PluginSession {
  return {
    async call(call): Promise<PluginResult> {
      const begun = performance.now();
      const result = await session.call(call);
      pluginCallCount.add(owner, [family, result.ok ? "ok" : result.error.code]);
      pluginCallDuration.observe(owner, [family], (performance.now() - begun) / 1000);
      return result;
    },
    close: () => session.close(),
  };
}
