import type { PluginHost, PluginResult } from "../src/plugins/plugin-host.ts";
import type { Env } from "./env.ts";

/** The plugin host behind the port that verbs know. */
export function createPluginHost(_env: Pick<Env, "PLUGIN_HOST">): PluginHost {
  const failure: PluginResult = {
    ok: false,
    error: { code: "unavailable", message: "The plugin host cannot be reached" },
    logs: [],
  };
  return {
    describe: () => Promise.reject(new Error("The plugin host cannot be reached")),
    open: () => ({ call: () => Promise.resolve(failure), close: () => undefined }),
  };
}
