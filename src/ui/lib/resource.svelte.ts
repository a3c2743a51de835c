import { untrack } from "svelte";
import { type ApiError, toApiError } from "./api-error.ts";
import { online } from "./online.svelte.ts";

/** Something a page loads, with every state it can be in. Old data stays visible while newer data is on its way. */
export class Resource<T> {
  data = $state.raw<T | undefined>(undefined);
  error = $state.raw<ApiError | undefined>(undefined);
  loading = $state(true);
  #load: (signal: AbortSignal) => Promise<T>;
  #running: AbortController | undefined;

  constructor(load: (signal: AbortSignal) => Promise<T>) {
    this.#load = load;
  }

  /** Loads again and cancels a load that is still running. Never rejects: the outcome is in `data` and `error`. */
  async reload(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    untrack(() => {
      this.loading = true;
    });
    try {
      const data = await this.#load(running.signal);
      if (running.signal.aborted) return;
      this.data = data;
      this.error = undefined;
    } catch (cause) {
      if (running.signal.aborted) return;
      this.error = toApiError(cause);
      if (this.error.code === "offline")
        void online.back().then(() => (running.signal.aborted ? undefined : this.reload()));
    }
    this.loading = false;
  }

  stop(): void {
    this.#running?.abort();
  }
}

/**
 * Loads something for as long as the component lives: at once, again when a reactive value changes that `load` reads
 * before its first await, and again by itself when the service can be reached after it could not.
 */
export function resource<T>(load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const result = new Resource(load);
  $effect(() => {
    void result.reload();
    return () => result.stop();
  });
  return result;
}
