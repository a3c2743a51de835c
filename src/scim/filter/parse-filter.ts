import { FilterReader } from "./filter-reader.ts";
import type { Filter } from "./filter.ts";

/**
 * Parses a filter: case-insensitive names and operators, `and` before `or`, `not (...)`, brackets, value paths, strings
 * with JSON's escapes.
 * @throws ScimError `invalidFilter` with the position
 */
export function parseFilter(text: string): Filter {
  const reader = new FilterReader(text, "filter");
  const filter = reader.filter();
  reader.end();
  return filter;
}
