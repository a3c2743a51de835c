import { FilterReader } from "./filter-reader.ts";
import type { Filter } from "./filter.ts";

/**
 * Reads a filter: names and operators in any case, `and` before `or`, `not (...)`, brackets, value paths, strings with JSON's escapes.
 * @throws ScimError `invalidFilter` that says where
 */
export function parseFilter(text: string): Filter {
  const reader = new FilterReader(text, "filter");
  const filter = reader.filter();
  reader.end();
  return filter;
}
