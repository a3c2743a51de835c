import type { ImportReport } from "../../../../chat/transfer/schema.ts";
import { type ApiError, toApiError } from "../../../lib/api-error.ts";
import { sendBody } from "../../../lib/files/send-body.ts";

/** The one import of this tab. It goes on while the person is on other pages. */
class ChatImport {
  /** Name and size of what is on its way; undefined while nothing is. */
  file = $state.raw<{ name: string; size: number }>();
  /** Bytes that have left. */
  sent = $state(0);
  report = $state.raw<ImportReport>();
  error = $state.raw<ApiError>();
  /** The person has stopped it: what was in by then stays. */
  stopped = $state(false);
  #running: AbortController | undefined;

  /** Sends a file; another one waits for the person to stop the first. Never rejects. */
  async start(file: File): Promise<void> {
    if (this.file) return;
    const running = new AbortController();
    this.#running = running;
    this.file = { name: file.name, size: file.size };
    this.sent = 0;
    this.report = undefined;
    this.error = undefined;
    this.stopped = false;
    try {
      this.report = await sendBody<ImportReport>("POST", "/api/v1/chats/import/file", file, {
        onProgress: (sent) => (this.sent = sent),
        signal: running.signal,
      });
    } catch (cause) {
      if (running.signal.aborted) this.stopped = true;
      else this.error = toApiError(cause);
    }
    this.file = undefined;
  }

  stop(): void {
    this.#running?.abort();
  }
}

export const chatImport = new ChatImport();
