export type Operator = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";

/**
 * An attribute name in filters and paths. `name` is in lower case and without the URN of a core schema (`username`,
 * `name.givenname`, `urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department`); `written` is what the
 * client sent.
 */
export interface AttributeName {
  name: string;
  written: string;
}

/** A SCIM filter (RFC 7644, section 3.4.2.2). In a `values` filter the attributes inside are those of one element. */
export type Filter =
  | { kind: "and" | "or"; filters: Filter[] }
  | { kind: "not"; filter: Filter }
  | { kind: "compare"; attribute: AttributeName; operator: Operator; value: string | number | boolean | null }
  | { kind: "present"; attribute: AttributeName }
  | { kind: "values"; attribute: AttributeName; filter: Filter };
