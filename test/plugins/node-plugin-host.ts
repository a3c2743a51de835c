import type { PluginHost } from "../../src/plugins/plugin-host.ts";

/** Runs JavaScript plugins in this process, by the harness that isolates use: what they do is real, only the walls are missing. */
export function createNodePluginHost(): PluginHost {
  return {
    describe: () => Promise.reject(new Error("not there yet")),
    open: () => {
      throw new Error("not there yet");
    },
  };
}
