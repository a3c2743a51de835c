import type { AuditEvent, AuditPage } from "../../../../people/audit/schema.ts";
import { api } from "../../../lib/api.ts";
import { type AuditFilter, toQuery } from "./audit-filter.ts";

/** One thing that happened, as the service tells it. */
export type Event = AuditEvent;
export type EventPage = AuditPage;

/** One page of the record, newest first. @param cursor where the last page ended */
export function listEvents(filter: AuditFilter, cursor: string | undefined, signal?: AbortSignal): Promise<EventPage> {
  return api("GET", "/api/v1/audit", { query: { ...toQuery(filter), cursor, limit: 50 }, signal });
}
