import type { SQL } from "drizzle-orm";
import type { FilterAttributes } from "./attributes.ts";
import type { Filter } from "./filter.ts";

/**
 * The filter as a condition for WHERE.
 * @throws ScimError `invalidFilter` for an attribute that is not in the table, or that cannot be compared like this.
 */
export function filterToSql(filter: Filter, attributes: FilterAttributes): SQL {
  throw new Error(`not there yet: ${filter.kind} ${Object.keys(attributes).length}`);
}
