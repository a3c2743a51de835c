import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";
import { lowerAscii } from "./compare-text.ts";
import type { Filter, Operator } from "./filter.ts";
import { parseInstant } from "./parse-instant.ts";

type Order = "gt" | "ge" | "lt" | "le";

/** What has to hold for a value that is there; a missing one never does. */
export type Test =
  | { kind: "present" }
  | { kind: "text"; operator: "eq" | "co" | "sw" | "ew" | Order; value: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "instant"; operator: "eq" | Order; value: number };

/** `negated`: the test must not hold, so a missing value fits. */
export interface Comparison {
  test: Test;
  negated: boolean;
}

export type Compared = Extract<Filter, { kind: "compare" | "present" }>;

/**
 * What a comparison means for a single value of this type. `ne` is `eq` turned round; `eq null` means that there is no value
 * (RFC 7643, section 2.5: null, an empty list and nothing are the same). Text for a `caseExact: false` attribute comes out in lower case.
 * @throws ScimError `invalidFilter` when such a value cannot be compared like this
 */
export function readComparison(filter: Compared, attribute: { type: string; caseExact?: boolean }): Comparison {
  if (filter.kind === "present") return { test: { kind: "present" }, negated: false };
  const { operator, value } = filter;
  if (value === null) {
    if (operator !== "eq" && operator !== "ne") throw refused(filter, "null supports only eq and ne");
    return { test: { kind: "present" }, negated: operator === "eq" };
  }
  return {
    test: readTest(filter, operator === "ne" ? "eq" : operator, value, attribute),
    negated: operator === "ne",
  };
}

function readTest(
  filter: Compared,
  operator: Exclude<Operator, "ne">,
  value: string | number | boolean,
  { type, caseExact }: { type: string; caseExact?: boolean },
): Test {
  switch (type) {
    case "string":
      if (typeof value !== "string") throw refused(filter, "it is a string: put the value in double quotes");
      return { kind: "text", operator, value: caseExact ? value : lowerAscii(value) };
    case "boolean": {
      if (operator !== "eq") throw refused(filter, "it is a boolean and supports only eq, ne and pr");
      // Some clients quote every value.
      const word = String(value).toLowerCase();
      if (typeof value === "number" || (word !== "true" && word !== "false")) {
        throw refused(filter, "its value must be true or false");
      }
      return { kind: "boolean", value: word === "true" };
    }
    case "dateTime": {
      if (operator === "co" || operator === "sw" || operator === "ew") {
        throw refused(filter, "it is a time and supports only eq, ne, gt, ge, lt, le and pr");
      }
      const instant = typeof value === "string" ? parseInstant(value) : undefined;
      if (instant === undefined) throw refused(filter, 'its value must be a time like "2026-01-31T12:00:00Z"');
      return { kind: "instant", operator, value: instant };
    }
    default:
      throw refused(filter, "it has no value of its own: use a sub-attribute");
  }
}

function refused({ attribute }: Compared, why: string): ScimError {
  return new ScimError("invalidFilter", `${quoted(attribute.written)} does not support this comparison: ${why}.`);
}
