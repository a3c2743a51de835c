import { runListener } from "./run-listener.ts";

/**
 * What tells work to stop: the part of `AbortSignal` that the service's own code needs, so one of the runtime's may stand for it.
 */
export interface StopSignal extends Pick<AbortSignal, "aborted" | "reason" | "throwIfAborted"> {
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

class OwnSignal implements StopSignal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Set<() => void>();
  #runtime: AbortController | undefined;

  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.aborted) this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason ?? new DOMException("The operation was aborted", "AbortError");
    this.#runtime?.abort(this.reason);
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) runListener(listener);
  }

  runtime(): AbortSignal {
    if (!this.#runtime) {
      this.#runtime = new AbortController();
      if (this.aborted) this.#runtime.abort(this.reason);
    }
    return this.#runtime.signal;
  }
}

/**
 * As `AbortController`, in JavaScript alone: the runtime makes two objects for each of its own, and two more for each listener, which
 * together cost as much as reading a small answer.
 */
export class StopController {
  readonly #signal = new OwnSignal();
  readonly signal: StopSignal = this.#signal;

  abort(reason?: unknown): void {
    this.#signal.abort(reason);
  }
}

/** As `AbortSignal.any`: a signal that fires with the first of several. */
export function anySignal(signals: readonly StopSignal[]): StopSignal {
  const controller = new StopController();
  for (const signal of signals) {
    if (signal.aborted) {
      controller.abort(signal.reason);
      break;
    }
    signal.addEventListener("abort", () => controller.abort(signal.reason));
  }
  return controller.signal;
}

/** The signal for functions of the runtime, such as `fetch`. */
export function runtimeSignal(signal: StopSignal): AbortSignal {
  return signal instanceof OwnSignal ? signal.runtime() : (signal as AbortSignal);
}
