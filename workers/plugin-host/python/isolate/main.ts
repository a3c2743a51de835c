import "./prelude.ts";
import { abortIsolate, WorkerEntrypoint } from "cloudflare:workers";
import type { Isolate, IsolateBridge } from "../../isolate.ts";
import { getRuntime, type Runtime } from "./boot.ts";
import { CallPort } from "./call-port.ts";

/** So long a plugin may take to tidy up when nobody waits for its call any more; ms. */
const tidyTimeoutMs = 3000;
/** So long a source may take to load; ms. Code that waits keeps nothing busy, so nobody else would stop it. */
const loadTimeoutMs = 25_000;

/** The main module of every isolate with a Python plugin. */
export default class PythonIsolate extends WorkerEntrypoint implements Isolate {
  describe(): Promise<string> {
    return this.#run(undefined, undefined).catch((error: unknown) =>
      JSON.stringify({ problems: [{ severity: "error", message: reasonOf(error) }] }),
    );
  }

  call(call: string, bridge: IsolateBridge): Promise<string> {
    return this.#run(call, bridge).catch((error: unknown) =>
      JSON.stringify({ ok: false, error: { code: "threw", name: "SystemError", message: reasonOf(error) } }),
    );
  }

  async end(): Promise<void> {
    abortIsolate("Nobody has used it for a while");
  }

  async #run(work: string | undefined, bridge: IsolateBridge | undefined): Promise<string> {
    const booting = getRuntime();
    // Others may wait for it too: it goes on when this call is given up.
    this.ctx.waitUntil(booting.catch(() => undefined));
    const runtime = await booting;
    const result = this.#serve(runtime, work, bridge);
    // When the caller goes, the plugin still gets the time to tidy up: what it holds, others wait for.
    this.ctx.waitUntil(result.catch(() => undefined));
    return result;
  }

  async #serve(runtime: Runtime, work: string | undefined, bridge: IsolateBridge | undefined): Promise<string> {
    const port = new CallPort(bridge);
    // Only an interpreter that is damaged fails outside of calls: whatever a plugin throws is caught in there.
    const broken = (error: unknown) => {
      if (port.isOver) return;
      port.fail(error);
      runtime.giveUp(error as Error);
    };
    let call: ReturnType<Runtime["start"]>;
    try {
      call = runtime.start(port, work);
    } catch (error) {
      runtime.giveUp(error as Error);
      throw error;
    }
    void runtime.crashed.then((error) => port.fail(error));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const letGo = (words: string) => {
      if (port.isOver) return;
      runtime.cancel(call);
      timer = setTimeout(() => {
        runtime.abandon(call);
        port.fail(new Error(words));
      }, tidyTimeoutMs);
    };
    const isOver = () => letGo("The call did not end after it was cancelled");
    // Where the host itself goes, this fails.
    bridge?.over().then(isOver, isOver);
    let isTooLate = false;
    const tooLate = `it took longer than ${loadTimeoutMs / 1000} seconds to load`;
    if (!bridge) {
      timer = setTimeout(() => {
        isTooLate = true;
        letGo(tooLate);
      }, loadTimeoutMs);
    }
    try {
      const result = await port.pump(() => {
        runtime.drain.callPromising(call).catch(broken);
      });
      if (isTooLate) throw new Error(tooLate);
      // Waited for, because the result would overtake it.
      await bridge?.memory?.(runtime.memory()).catch(() => undefined);
      return result;
    } finally {
      clearTimeout(timer);
      // There is nothing to let go of in an interpreter that has crashed.
      if (!runtime.hasCrashed()) call.destroy();
    }
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /call stack|recursion/i.test(message)
    ? "Python stopped: it was nested too deep"
    : `Python stopped: ${message.split("\n")[0] ?? ""}`;
}
