import { describe, expect, test } from "vitest";
import {
  exportAddress,
  filterAddress,
  readFilter,
  toQuery,
} from "../../../../../src/ui/features/admin/audit/audit-filter.ts";

const read = (query: string) => readFilter(new URLSearchParams(query));

describe("the filter of the audit page", () => {
  test("goes into the address and comes back out of it", () => {
    const address =
      "/admin/audit?actor=a&kind=scim&action=user.*&type=user&target=b&organization=o&from=2026-03-01&to=2026-03-02&failed=1";
    expect(filterAddress("/admin/audit", readFilter(new URL(address, "http://x").searchParams))).toBe(address);
    expect(filterAddress("/admin/audit", read(""))).toBe("/admin/audit");
  });

  test("days are whole days of the person's own zone: from midnight to the midnight after", () => {
    const { from, to } = toQuery(read("from=2026-03-01&to=2026-03-01"));
    expect(from).toBe(new Date(2026, 2, 1).getTime() / 1000);
    expect(to).toBe(new Date(2026, 2, 2).getTime() / 1000);
    expect(toQuery(read("from=yesterday"))["from"]).toBeUndefined();
  });

  test("the download asks for the same", () => {
    expect(exportAddress(read(""))).toBe("/api/v1/audit/export");
    expect(exportAddress(read("action=api_key.*&failed=1"))).toBe("/api/v1/audit/export?action=api_key.*&failed=true");
  });
});
