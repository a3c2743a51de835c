import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { type Resource, resource } from "../../lib/resource.svelte.ts";

/** Finds one page. @param cursor where the last page ended; undefined for the first one */
type Find<P> = (cursor: string | undefined, signal?: AbortSignal) => Promise<P>;

/** A list that goes on: what was loaded so far stands in one page. */
export class Paged<P extends { next_cursor: string | null }> {
  readonly page: Resource<P>;
  loadingMore = $state(false);
  moreError = $state.raw<ApiError | undefined>(undefined);
  readonly #find: Find<P>;
  readonly #join: (page: P, next: P) => P;

  constructor(find: Find<P>, join: (page: P, next: P) => P) {
    this.#find = find;
    this.#join = join;
    this.page = resource((signal) => {
      this.moreError = undefined;
      return find(undefined, signal);
    });
  }

  /** Adds the next page. Never rejects: the outcome is in `page` and `moreError`. */
  async more(): Promise<void> {
    const page = this.page.data;
    if (!page?.next_cursor || this.loadingMore || this.page.loading) return;
    this.loadingMore = true;
    this.moreError = undefined;
    try {
      const next = await this.#find(page.next_cursor);
      // The list was loaded again in the meantime: this page belongs to the old one.
      if (this.page.data !== page) return;
      this.page.data = this.#join(page, next);
    } catch (cause) {
      this.moreError = toApiError(cause);
    } finally {
      this.loadingMore = false;
    }
  }
}

/**
 * Call while a component is set up; what `find` reads before its first await makes the list start again.
 * @param join both pages as one, with what is new in the later one
 */
export function paged<P extends { next_cursor: string | null }>(
  find: Find<P>,
  join: (page: P, next: P) => P,
): Paged<P> {
  return new Paged(find, join);
}

/** One list of both, each entry once: what was added or moved meanwhile may come a second time. */
export function joinById<T extends { id: string }>(entries: T[], next: T[]): T[] {
  const known = new Set(entries.map((entry) => entry.id));
  return [...entries, ...next.filter((entry) => !known.has(entry.id))];
}
