import type { LiveEvent } from "../../../../events/protocol.ts";
import { api } from "../../../lib/api.ts";
import { textField } from "../../../lib/live/live-state.ts";

/** Longest time that code may take, milliseconds; the question's own end comes first where it is sooner. */
const longest = 60_000;

/**
 * Runs the code of `execute` questions in this tab while it can be seen. Of several tabs of a browser one runs it at a time;
 * of several browsers each may, and the first answer counts. A hidden tab waits until it is shown, or the question is closed.
 */
export class CodeRunner {
  readonly #running = new Map<string, AbortController>();

  /** Says which questions wait now: new ones are taken, those that are gone are stopped. */
  update(waiting: readonly LiveEvent[]): void {
    const codes = waiting.filter((event) => event.call && event.data.type === "execute");
    const ids = new Set(codes.map((event) => event.call?.id));
    for (const [id, abort] of this.#running) {
      if (ids.has(id)) continue;
      this.#running.delete(id);
      abort.abort();
    }
    for (const event of codes) {
      if (!event.call || this.#running.has(event.call.id)) continue;
      const abort = new AbortController();
      this.#running.set(event.call.id, abort);
      void this.#take(event.call, textField(event.data.data, "code"), abort.signal).catch(() => undefined);
    }
  }

  async #take(call: { id: string; expires_at: number }, code: string, signal: AbortSignal): Promise<void> {
    await whenVisible(signal);
    await alone(`parley:execute:${call.id}`, signal, async () => {
      const left = call.expires_at * 1000 - Date.now();
      // Clocks of browsers may be wrong by hours: then the service's own end of the question is what counts.
      const limit = left > 0 && left < longest ? left : longest;
      const { runCode } = await import("./run-code.ts");
      if (signal.aborted) return;
      const result = await runCode(code, { limit, signal });
      if (!signal.aborted)
        await api("POST", `/api/v1/chats/calls/${encodeURIComponent(call.id)}/answer`, { body: result });
    });
  }
}

function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", () => {
      document.removeEventListener("visibilitychange", look);
      reject(new Error("closed"));
    });
    look();
  });
}

/** Where the browser has locks (only on secure addresses), one tab at a time; a tab that closes lets the next one try. */
async function alone(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const locks = (navigator as Partial<Navigator>).locks;
  if (locks) await locks.request(name, { signal }, work);
  else await work();
}
