import { type ApiError, toApiError } from "../../../lib/api-error.ts";
import { type Resource, resource } from "../../../lib/resource.svelte.ts";
import type { PeoplePage } from "./people.ts";

/** Finds one page of people. @param cursor where the last page ended; undefined for the first one */
type Find = (cursor: string | undefined, signal?: AbortSignal) => Promise<PeoplePage>;

/** A list of people that goes on: what was loaded so far stands in one page. */
export class PeopleList {
  readonly page: Resource<PeoplePage>;
  loadingMore = $state(false);
  moreError = $state.raw<ApiError | undefined>(undefined);
  readonly #find: Find;

  constructor(page: Resource<PeoplePage>, find: Find) {
    this.page = page;
    this.#find = find;
  }

  /** Adds the next page. Never rejects: the outcome is in `page` and `moreError`. */
  async more(): Promise<void> {
    const page = this.page.data;
    if (!page?.next_cursor || this.loadingMore) return;
    this.loadingMore = true;
    this.moreError = undefined;
    try {
      const next = await this.#find(page.next_cursor);
      // The list was searched anew in the meantime: this page belongs to the old one.
      if (this.page.data !== page) return;
      const known = new Set(page.users.map((person) => person.id));
      this.page.data = { ...next, users: [...page.users, ...next.users.filter((person) => !known.has(person.id))] };
    } catch (cause) {
      this.moreError = toApiError(cause);
    } finally {
      this.loadingMore = false;
    }
  }
}

/** Call while a component is set up; what `find` reads before its first await makes the list start anew. */
export function peopleList(find: Find): PeopleList {
  return new PeopleList(
    resource((signal) => find(undefined, signal)),
    find,
  );
}
