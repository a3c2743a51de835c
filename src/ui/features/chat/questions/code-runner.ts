import type { LiveEvent } from "../../../../shared/live-protocol.ts";
import { api } from "../../../lib/api.ts";
import { textField } from "../../../lib/live/live-state.ts";

/** Longest time that code may take, milliseconds; the question's own end comes first where it is sooner. */
const longest = 60_000;

/**
 * Runs the code of `execute` questions that the service has given to this tab: it picks one tab, which can be seen if any can.
 * What has begun here goes on when the connection is made anew.
 */
export class CodeRunner {
  readonly #running = new Map<string, AbortController>();

  /**
   * Says what waits now: what is this tab's is begun, what is gone is stopped.
   * @param sessionId what the service calls this tab
   */
  update(waiting: readonly LiveEvent[], sessionId: string | undefined): void {
    const codes = waiting.flatMap(({ call, data }) =>
      call && data.type === "execute" ? [{ call, data: data.data }] : [],
    );
    const ids = new Set(codes.map(({ call }) => call.id));
    for (const [id, abort] of this.#running) {
      if (ids.has(id)) continue;
      this.#running.delete(id);
      abort.abort();
    }
    for (const { call, data } of codes) {
      if (this.#running.has(call.id) || call.tab === undefined || call.tab !== sessionId) continue;
      const abort = new AbortController();
      this.#running.set(call.id, abort);
      // An answer that does not arrive leaves the question open until its time is over.
      void run(call, textField(data, "code"), abort.signal).catch(() => undefined);
    }
  }
}

async function run(call: { id: string; expires_at: number }, code: string, signal: AbortSignal): Promise<void> {
  const { runCode } = await import("./run-code.ts");
  const left = call.expires_at * 1000 - Date.now();
  // Clocks may be wrong by hours: then the service's own end of the question is what counts.
  const limit = left > 0 && left < longest ? left : longest;
  const result = await runCode(code, { limit, signal });
  if (signal.aborted) return;
  await api("POST", `/api/v1/chats/calls/${encodeURIComponent(call.id)}/answer`, { body: result });
}
