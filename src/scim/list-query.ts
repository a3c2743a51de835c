import { sql, type SQL } from "drizzle-orm";
import type { FilterAttributes } from "./filter/attributes.ts";
import { filterToSql } from "./filter/filter-to-sql.ts";
import { parseFilter } from "./filter/parse-filter.ts";
import { parseProjection, type Projection } from "./projection.ts";
import { ScimError } from "./scim-error.ts";

/** Most resources of one page: `filter.maxResults` in the service's configuration. */
export const maxResults = 200;
const defaultCount = 100;

/** What can be sorted by, in lower case: the expression whose order it is. */
export type SortExpressions = Readonly<Record<string, SQL>>;

export interface ListQuery {
  filter: string | undefined;
  /** From 1 on. */
  startIndex: number;
  count: number;
  sortBy: string | undefined;
  descending: boolean;
  projection: Projection;
}

/**
 * Paging as in RFC 7644, section 3.4.2.4: less than 1 is 1, a negative count is 0, more than the most is the most.
 * @param given the query of a GET, or the body of a search
 * @throws ScimError `invalidValue` for what is no whole number, and for an unknown order.
 */
export function parseListQuery(given: Record<string, unknown>): ListQuery {
  const sortOrder = text(given, "sortOrder")?.toLowerCase();
  if (sortOrder !== undefined && sortOrder !== "ascending" && sortOrder !== "descending")
    throw new ScimError("invalidValue", "sortOrder must be ascending or descending");
  return {
    filter: text(given, "filter"),
    startIndex: Math.max(1, whole(given, "startIndex") ?? 1),
    count: Math.min(maxResults, Math.max(0, whole(given, "count") ?? defaultCount)),
    sortBy: text(given, "sortBy"),
    descending: sortOrder === "descending",
    projection: parseProjection(given.attributes, given.excludedAttributes),
  };
}

function text(given: Record<string, unknown>, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new ScimError("invalidValue", `${name} is not a string`);
  return value;
}

function whole(given: Record<string, unknown>, name: string): number | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  const isWhole =
    typeof value === "number" ? Number.isInteger(value) : typeof value === "string" && /^[+-]?\d+$/.test(value.trim());
  if (!isWhole) throw new ScimError("invalidValue", `${name} is not a whole number`);
  return Math.min(Number(value), 1_000_000_000);
}

/** WHERE and ORDER BY. Without an order, and between equals, resources follow their ids, which never change: pages do not shift. */
export function compileList(
  query: ListQuery,
  attributes: FilterAttributes,
  sorts: SortExpressions,
  id: SQL,
): { where: SQL | undefined; orderBy: SQL } {
  const where = query.filter === undefined ? undefined : filterToSql(parseFilter(query.filter), attributes);
  if (query.sortBy === undefined) return { where, orderBy: id };
  const name = query.sortBy
    .trim()
    .toLowerCase()
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, "");
  const by = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
  if (!by) throw new ScimError("invalidValue", `Sorting is not supported by ${query.sortBy.slice(0, 100)}`);
  // RFC 7644, section 3.4.2.3: who has no value comes last, or first in descending order.
  return {
    where,
    orderBy: query.descending ? sql`${by} IS NULL DESC, ${by} DESC, ${id}` : sql`${by} IS NULL, ${by}, ${id}`,
  };
}
