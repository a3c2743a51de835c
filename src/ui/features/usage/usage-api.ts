import type { QuotaLeft } from "../../../usage/quotas/schema.ts";
import type { Dimension, UsageCall, UsageCallPage, UsageReport, UsageRow } from "../../../usage/schema.ts";
import { api } from "../../lib/api.ts";
import { nowSeconds } from "../../lib/now-seconds.ts";

export type { Dimension, QuotaLeft, UsageCall, UsageCallPage, UsageReport, UsageRow };

/** What of the ledger is looked at; empty texts mean "all". */
export interface UsageFilter {
  /** How many days up to now. */
  days: string;
  person: string;
  model: string;
  organization: string;
  group: string;
  key: string;
}

/** Whose: one's own, or that of everybody whom one administers. */
export type UsageScope = "own" | "all";

const secondsOfDay = 86_400;
const base = { own: "/api/v1/usage", all: "/api/v1/usage/admin" };

function toQuery({ days, person, model, organization, group, key }: UsageFilter): Record<string, string | number> {
  const to = nowSeconds();
  return {
    from: to - (Number(days) - 1) * secondsOfDay,
    to: to + 60,
    ...(person && { user_id: person }),
    ...(model && { model }),
    ...(organization && { organization_id: organization }),
    ...(group && { group_id: group }),
    ...(key && { key_id: key }),
  };
}

export function readUsage(
  scope: UsageScope,
  filter: UsageFilter,
  by: readonly Dimension[],
  signal: AbortSignal,
): Promise<UsageReport> {
  return api("GET", base[scope], { query: { ...toQuery(filter), group_by: by.join(",") }, signal });
}

/** @param cursor where the last page ended */
export function listCalls(
  scope: UsageScope,
  filter: UsageFilter,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<UsageCallPage> {
  return api("GET", `${base[scope]}/calls`, { query: { ...toQuery(filter), cursor, limit: 20 }, signal });
}

/** Where the browser downloads the sums of each day as a table. */
export function exportAddress(scope: UsageScope, filter: UsageFilter, by: readonly Dimension[]): string {
  const search = new URLSearchParams(
    Object.entries({ ...toQuery(filter), group_by: ["day", ...by].join(",") }).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
  return `${base[scope]}/export?${search.toString()}`;
}

export async function listQuotasLeft(signal: AbortSignal): Promise<QuotaLeft[]> {
  return (await api<{ quotas: QuotaLeft[] }>("GET", "/api/v1/usage/quotas", { signal })).quotas;
}
