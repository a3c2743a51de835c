import { isRecord } from "../../lib/json.ts";
import type { AttributeType, AttributeTypes } from "./attributes.ts";
import { compareText, lowerAscii } from "./compare-text.ts";
import type { Filter } from "./filter.ts";
import { parseInstant } from "./parse-instant.ts";
import type { Test } from "./read-comparison.ts";
import { resolveFilter, type Condition } from "./resolve-filter.ts";

/**
 * Whether a resource (SCIM JSON, or one element of a list) matches the filter. Its keys are case-insensitive; a value
 * of another type than the attribute's counts as missing. The filter is validated once, here.
 * @throws ScimError as `filterToSql`, for any resource
 */
export function compileFilter(filter: Filter, types: AttributeTypes): (resource: Record<string, unknown>) => boolean {
  const condition = resolveFilter<AttributeType>(filter, types);
  return (resource) => holds(condition, resource);
}

function holds(condition: Condition<AttributeType>, context: unknown): boolean {
  switch (condition.kind) {
    case "and":
      return condition.conditions.every((part) => holds(part, context));
    case "or":
      return condition.conditions.some((part) => holds(part, context));
    case "not":
      return !holds(condition.condition, context);
    case "some":
      return elements(follow(context, condition.keys)).some((element) => holds(condition.condition, element));
    case "test":
      return passes(condition.attribute, condition.test, follow(context, condition.keys));
  }
}

function passes(attribute: AttributeType, test: Test, value: unknown): boolean {
  switch (attribute.type) {
    case "string": {
      if (typeof value !== "string") return false;
      if (test.kind === "present") return value !== "";
      return test.kind === "text" && textPasses(test, attribute.caseExact ? value : lowerAscii(value));
    }
    case "boolean":
      return (
        typeof value === "boolean" && (test.kind === "present" || (test.kind === "boolean" && test.value === value))
      );
    case "dateTime": {
      const instant = typeof value === "string" ? parseInstant(value) : undefined;
      if (instant === undefined) return false;
      return test.kind === "present" || (test.kind === "instant" && inOrder(test.operator, instant - test.value));
    }
    default:
      return false;
  }
}

function textPasses({ operator, value }: Extract<Test, { kind: "text" }>, text: string): boolean {
  switch (operator) {
    case "co":
      return text.includes(value);
    case "sw":
      return text.startsWith(value);
    case "ew":
      return text.endsWith(value);
    default:
      return inOrder(operator, compareText(text, value));
  }
}

function inOrder(operator: "eq" | "gt" | "ge" | "lt" | "le", difference: number): boolean {
  switch (operator) {
    case "eq":
      return difference === 0;
    case "gt":
      return difference > 0;
    case "ge":
      return difference >= 0;
    case "lt":
      return difference < 0;
    case "le":
      return difference <= 0;
  }
}

function follow(value: unknown, keys: readonly string[]): unknown {
  let reached = value;
  for (const wanted of keys) {
    if (!isRecord(reached)) return undefined;
    const key = Object.keys(reached).find((name) => name.toLowerCase() === wanted);
    reached = key === undefined ? undefined : reached[key];
  }
  return reached;
}

/** A bare value in a list, like the URNs of `schemas`, is the `value` of an element. */
function elements(list: unknown): unknown[] {
  if (list === undefined || list === null) return [];
  return (Array.isArray(list) ? list : [list]).map((element) => (isRecord(element) ? element : { value: element }));
}
