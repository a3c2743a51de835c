import type { PluginCall, PluginCode, PluginHost } from "../../src/plugins/plugin-host.ts";
import type { Env } from "../env.ts";
import { describeOverSocket } from "../plugin-host/describe-over-socket.ts";
import type { HostWay } from "../plugin-host/open-socket.ts";
import { PluginSocket } from "../plugin-host/plugin-socket.ts";

/** The way to native runners. */
export interface RunnerWay {
  /** With the way to private addresses: runners are the operator's own. */
  fetch: typeof fetch;
  token: string;
}

/** The plugin host, and native runners beside it, as the port for verbs. */
export function createPluginHost(env: Pick<Env, "PLUGIN_HOST">, runners: RunnerWay): PluginHost {
  const find = (runner: string | null | undefined): [HostWay, string] =>
    runner ? [runnerHost(runner, runners), "Its native runner"] : [env.PLUGIN_HOST, "The plugin host"];
  return {
    describe: (source, packages, runner) => describeOverSocket(...find(runner), source, runner ? [] : packages),
    open(code: PluginCode) {
      const socket = new PluginSocket(...find(code.runner), code);
      return {
        call: (call: PluginCall) => socket.call(call),
        close: () => socket.close(),
      };
    },
  };
}

/** A runner speaks as the plugin host does, to those who know its token. */
function runnerHost(address: string, runners: RunnerWay): HostWay {
  return {
    fetch(asked, init) {
      const { pathname, search } = new URL(asked);
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${runners.token}`);
      return runners.fetch(`${address}/plugins${pathname}${search}`, { ...init, headers });
    },
  };
}
