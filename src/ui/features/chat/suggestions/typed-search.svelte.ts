import { untrack } from "svelte";
import { toApiError } from "../../../lib/api-error.ts";

/** What was found for the text that is being typed. */
export interface TypedSearch<T> {
  /** Undefined before the first answer and after a failure. */
  found: T | undefined;
  readonly failed: boolean;
}

/** Waits for the next letter, milliseconds: half a word is not worth a search. */
const delayMs = 150;

/**
 * Searches for what is typed. Call while a component is set up.
 * @param query read again whenever it changes; undefined while nothing is searched
 */
export function typedSearch<T>(
  query: () => string | undefined,
  find: (query: string, signal: AbortSignal) => Promise<T>,
): TypedSearch<T> {
  let found = $state.raw<T>();
  let failed = $state(false);

  async function search(wanted: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await find(wanted, signal);
      if (signal.aborted) return;
      found = answer;
      failed = false;
    } catch (cause) {
      if (signal.aborted || toApiError(cause).code === "aborted") return;
      found = undefined;
      failed = true;
    }
  }

  $effect(() => {
    const wanted = query();
    if (wanted === undefined) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void search(wanted, stop.signal), untrack(() => found) ? delayMs : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });

  return {
    get found() {
      return found;
    },
    set found(value) {
      found = value;
    },
    get failed() {
      return failed;
    },
  };
}
