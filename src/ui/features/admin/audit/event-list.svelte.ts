import { type ApiError, toApiError } from "../../../lib/api-error.ts";
import { type Resource, resource } from "../../../lib/resource.svelte.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { type EventPage, listEvents } from "./audit.ts";

/** Events of a filter, page after page. Made while a component is set up; begins anew when the filter changes. */
export class EventList {
  readonly first: Resource<EventPage>;
  loadingMore = $state(false);
  moreError = $state.raw<ApiError>();
  #filter: () => AuditFilter;

  /** @param filter read reactively */
  constructor(filter: () => AuditFilter) {
    this.#filter = filter;
    this.first = resource((signal) => {
      this.moreError = undefined;
      return listEvents(filter(), undefined, signal);
    });
  }

  /** Loads the next page, if there is one; after a failure only when asked `again`. */
  async more(again = false): Promise<void> {
    const page = this.first.data;
    if (!page?.next_cursor || this.loadingMore || this.first.loading || (this.moreError && !again)) return;
    this.loadingMore = true;
    this.moreError = undefined;
    try {
      const next = await listEvents(this.#filter(), page.next_cursor);
      // The filter was changed in the meantime: this page belongs to the old one.
      if (this.first.data !== page) return;
      this.first.data = { ...next, events: [...page.events, ...next.events] };
    } catch (cause) {
      this.moreError = toApiError(cause);
    } finally {
      this.loadingMore = false;
    }
  }
}
