import type { Described, PluginCall, PluginCode, PluginHost, PluginPackage } from "../../src/plugins/plugin-host.ts";
import type { Env } from "../env.ts";
import { describeOverSocket } from "../plugin-host/describe-over-socket.ts";
import { PluginSocket } from "../plugin-host/plugin-socket.ts";

/** The plugin host behind the port that verbs know. */
export function createPluginHost(env: Pick<Env, "PLUGIN_HOST">): PluginHost {
  return {
    describe: (source: string, packages: PluginPackage[]): Promise<Described> =>
      describeOverSocket(env.PLUGIN_HOST, source, packages),
    open(code: PluginCode) {
      const socket = new PluginSocket(env.PLUGIN_HOST, code);
      return {
        call: (call: PluginCall) => socket.call(call),
        close: () => socket.close(),
      };
    },
  };
}
