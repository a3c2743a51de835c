/** What of the record is looked at. Empty texts mean "all". Days are as in `2026-03-01`, in the person's own zone. */
export interface AuditFilter {
  actor: string;
  kind: string;
  action: string;
  type: string;
  target: string;
  organization: string;
  from: string;
  to: string;
  failed: boolean;
}

const texts = ["actor", "kind", "action", "type", "target", "organization", "from", "to"] as const;

/** Reads the filter from the page's address. */
export function readFilter(search: URLSearchParams): AuditFilter {
  const filter = Object.fromEntries(texts.map((name) => [name, search.get(name) ?? ""])) as Record<
    (typeof texts)[number],
    string
  >;
  return { ...filter, failed: search.get("failed") === "1" };
}

/** The page's address with this filter. */
export function filterAddress(path: string, filter: Partial<AuditFilter>): string {
  const search = new URLSearchParams();
  for (const name of texts) {
    const value = filter[name];
    if (value) search.set(name, value);
  }
  if (filter.failed) search.set("failed", "1");
  const query = search.toString();
  return query ? `${path}?${query}` : path;
}

/** The filter in the service's own terms: moments are epoch seconds, the last day counts to its end. */
export function toQuery(filter: AuditFilter): Record<string, string | number | boolean | undefined> {
  return {
    actor_id: filter.actor,
    actor_kind: filter.kind,
    action: filter.action,
    target_type: filter.type,
    target_id: filter.target,
    organization_id: filter.organization,
    from: dayStart(filter.from, 0),
    to: dayStart(filter.to, 1),
    failed: filter.failed ? true : undefined,
  };
}

/** Epoch seconds of midnight at the beginning of a day, or of one some days later; undefined for what is no day. */
function dayStart(day: string, later: number): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (!year || !month || !date) return undefined;
  return Math.floor(new Date(Number(year), Number(month) - 1, Number(date) + later).getTime() / 1000);
}

/** Where the browser downloads the same as a table. */
export function exportAddress(filter: AuditFilter): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(toQuery(filter)))
    if (value !== undefined && value !== "") search.set(name, String(value));
  const query = search.toString();
  return query ? `/api/v1/audit/export?${query}` : "/api/v1/audit/export";
}
