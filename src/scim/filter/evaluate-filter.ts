import type { AttributeTypes } from "./attributes.ts";
import type { Filter } from "./filter.ts";

/** Whether a resource (SCIM JSON) fits the filter. @throws ScimError as `filterToSql`, whatever the resource holds. */
export function evaluateFilter(filter: Filter, resource: Record<string, unknown>, types: AttributeTypes): boolean {
  throw new Error(`not there yet: ${filter.kind} ${Object.keys(resource).length} ${Object.keys(types).length}`);
}
