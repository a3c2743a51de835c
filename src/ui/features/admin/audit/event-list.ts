import { joinById, type Paged, paged } from "../paged.svelte.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { type EventPage, listEvents } from "./audit.ts";

/** Events page after page. Call while a component is set up. @param filter read reactively: the list starts again when it changes */
export function eventList(filter: () => AuditFilter): Paged<EventPage> {
  return paged(
    (cursor, signal) => listEvents(filter(), cursor, signal),
    (page, next) => ({ ...next, events: joinById(page.events, next.events) }),
  );
}
