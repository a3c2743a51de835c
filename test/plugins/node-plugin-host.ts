import { AsyncLocalStorage } from "node:async_hooks";
import type { PluginCall, PluginCode, PluginHost } from "../../src/plugins/plugin-host.ts";
import { CallDriver } from "../../workers/plugin-host/call-driver.ts";
import { detectLanguage } from "../../workers/plugin-host/detect-language.ts";
import { type IsolateDescription, logLimit, outputLimit } from "../../workers/plugin-host/isolate.ts";
import { compileSource } from "../../workers/plugin-host/javascript/compile-source.ts";
import {
  catchConsole,
  createRunner,
  type Printer,
  type Runner,
} from "../../workers/plugin-host/javascript/create-runner.ts";
import { readMeta, valvesExport } from "../../workers/plugin-host/javascript/source-meta.ts";

const scope = new AsyncLocalStorage<Printer>();
catchConsole(scope);

/** Runs JavaScript plugins in this process, by the harness that isolates use: what they do is real, only the walls are missing. */
export function createNodePluginHost(): PluginHost {
  const warm = new Map<string, Promise<Runner>>();

  function load(code: string, valves: Record<string, unknown>): Runner {
    // Modules are kept by their address: each runner gets one of its own, as isolates have.
    const address = `data:text/javascript,${encodeURIComponent(code)}//${crypto.randomUUID()}`;
    return createRunner({
      meta: readMeta(code),
      valves,
      scope,
      load: () => import(/* @vite-ignore */ address) as Promise<Record<string, unknown>>,
      outputLimit,
      logLimit,
      valvesExport,
    });
  }

  async function open({ plugin, fingerprint, language, load: loadCode }: PluginCode): Promise<Runner> {
    if (language !== "javascript") throw new Error("Only JavaScript plugins run in this process");
    const key = `${plugin}/${fingerprint}`;
    const known = warm.get(key);
    if (known) return known;
    const loading = loadCode().then(({ code, valves }) => load(code, valves));
    warm.set(key, loading);
    loading.catch(() => warm.delete(key));
    return loading;
  }

  return {
    async describe(source) {
      if (detectLanguage(source) !== "javascript") {
        const message = "Only JavaScript plugins run in this process";
        return { code: undefined, info: undefined, problems: [{ severity: "error", message }] };
      }
      const { code, problems } = compileSource(source);
      if (code === undefined) return { code, info: undefined, problems };
      const { info, problems: more } = JSON.parse(await load(code, {}).describe()) as IsolateDescription;
      return { code: info && code, info, problems: [...problems, ...more] };
    },

    open(code) {
      const closing = new AbortController();
      return {
        async call(call: PluginCall) {
          const driver = new CallDriver({ ...call, signal: AbortSignal.any([call.signal, closing.signal]) });
          const { method, args, reserved, onChunk } = call;
          try {
            const runner = await open(code);
            const text = JSON.stringify({ method, args, reserved, wantsChunks: onChunk !== undefined });
            runner.call(text, driver).then((result) => driver.finish(result), fail);
          } catch (error) {
            fail(error);
          }
          function fail(error: unknown) {
            driver.fail({ code: "unavailable", message: (error as Error).message });
          }
          return driver.result;
        },
        close: () => closing.abort(),
      };
    },
  };
}
