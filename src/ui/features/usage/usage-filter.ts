import type { Dimension, UsageFilter } from "./usage-api.ts";

/** The filter, and by what the rows below the plot are told apart. */
export interface UsageView extends UsageFilter {
  by: Dimension;
}

const names = ["days", "person", "model", "organization", "group", "key", "by"] as const;
const periods = new Set(["7", "30", "90", "365"]);
const defaultDays = "30";

/** Reads the view from the page's address, so that reload, Back and a shared link show the same. */
export function readView(search: URLSearchParams, dimensions: readonly Dimension[]): UsageView {
  const said = (name: (typeof names)[number]): string => search.get(name) ?? "";
  const days = said("days");
  return {
    days: periods.has(days) ? days : defaultDays,
    person: said("person"),
    model: said("model"),
    organization: said("organization"),
    group: said("group"),
    key: said("key"),
    by: dimensions.find((dimension) => dimension === said("by")) ?? dimensions[0]!,
  };
}

/** The page's address with this view. */
export function viewAddress(path: string, view: UsageView, first: Dimension): string {
  const search = new URLSearchParams();
  for (const name of names) {
    const value = view[name];
    const isDefault = (name === "days" && value === defaultDays) || (name === "by" && value === first);
    if (value !== "" && !isDefault) search.set(name, value);
  }
  const query = search.toString();
  return query ? `${path}?${query}` : path;
}
