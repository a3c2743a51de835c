import { quoted } from "../quoted.ts";
import { ScimError } from "../scim-error.ts";
import type { AttributeName, Filter } from "./filter.ts";
import { readComparison, type Compared, type Comparison, type Test } from "./read-comparison.ts";

/**
 * A filter with its names looked up and its values read: what is left to do is the same for SQL and for JSON. `keys` lead from the
 * resource (or element) to a value, in lower case.
 */
export type Condition<T> =
  | { kind: "and" | "or"; conditions: Condition<T>[] }
  | { kind: "not"; condition: Condition<T> }
  | { kind: "test"; attribute: T; keys: string[]; test: Test }
  /** A list has an element for which the condition holds. */
  | { kind: "some"; list: T; keys: string[]; condition: Condition<T> };

interface Attribute<T> {
  type: string;
  caseExact?: boolean;
  attributes?: Readonly<Record<string, T>>;
}

type Table<T> = Readonly<Record<string, T>>;

/** @throws ScimError `invalidFilter` for an attribute that is not in the table, or that cannot be compared like this */
export function resolveFilter<T extends Attribute<T>>(
  filter: Filter,
  table: Table<T>,
  above: string[] = [],
): Condition<T> {
  switch (filter.kind) {
    case "and":
    case "or":
      return { kind: filter.kind, conditions: filter.filters.map((part) => resolveFilter(part, table, above)) };
    case "not":
      return not(resolveFilter(filter.filter, table, above));
    case "values": {
      const { attribute, keys } = find(filter.attribute, table, above);
      if (attribute.attributes === undefined) throw refused(filter.attribute, "has no sub-attributes");
      if (attribute.type === "complex") return resolveFilter(filter.filter, attribute.attributes, keys);
      return { kind: "some", list: attribute, keys, condition: resolveFilter(filter.filter, attribute.attributes) };
    }
    default:
      return resolveCompared(filter, table, above);
  }
}

function resolveCompared<T extends Attribute<T>>(filter: Compared, table: Table<T>, above: string[]): Condition<T> {
  const { attribute, keys, list } = find(filter.attribute, table, above);
  if (list) return someElement(list, keys.slice(0, -1), attribute, keys.slice(-1), readComparison(filter, attribute));
  if (attribute.attributes === undefined) return single(attribute, keys, readComparison(filter, attribute));
  if (filter.kind === "present" || filter.value === null) {
    const { negated } = readComparison(filter, attribute);
    const present = anyPresent(attribute, keys);
    return negated ? not(present) : present;
  }
  // RFC 7644, section 3.4.2.2 compares `emails co "example.com"`: that is `emails.value`.
  const value = attribute.type === "multi" ? own(attribute.attributes, "value") : undefined;
  if (!value) throw refused(filter.attribute, "has no value of its own: use a sub-attribute");
  return someElement(attribute, keys, value, ["value"], readComparison(filter, value));
}

function single<T>(attribute: T, keys: string[], { test, negated }: Comparison): Condition<T> {
  const holds: Condition<T> = { kind: "test", attribute, keys, test };
  return negated ? not(holds) : holds;
}

/** Any element fits; a list without elements is as one with an element without values. */
function someElement<T extends Attribute<T>>(
  list: T,
  listKeys: string[],
  attribute: T,
  keys: string[],
  comparison: Comparison,
): Condition<T> {
  const fits: Condition<T> = { kind: "some", list, keys: listKeys, condition: single(attribute, keys, comparison) };
  return comparison.negated ? { kind: "or", conditions: [fits, not(anyPresent(list, listKeys))] } : fits;
}

/** A complex value with at least one sub-attribute, or a list with such an element. */
function anyPresent<T extends Attribute<T>>(attribute: T, keys: string[]): Condition<T> {
  const prefix = attribute.type === "multi" ? [] : keys;
  const conditions = Object.entries(attribute.attributes ?? {}).map(([key, sub]): Condition<T> => ({
    kind: "test",
    attribute: sub,
    keys: [...prefix, key],
    test: { kind: "present" },
  }));
  const present: Condition<T> = { kind: "or", conditions };
  return attribute.type === "multi" ? { kind: "some", list: attribute, keys, condition: present } : present;
}

function not<T>(condition: Condition<T>): Condition<T> {
  return { kind: "not", condition };
}

function find<T extends Attribute<T>>(
  { name, written }: AttributeName,
  table: Table<T>,
  above: string[],
): { attribute: T; keys: string[]; list?: T } {
  const whole = own(table, name);
  if (whole) return { attribute: whole, keys: [...above, name] };
  const dot = name.indexOf(".");
  const parent = dot > 0 ? own(table, name.slice(0, dot)) : undefined;
  const attribute = parent?.attributes && own(parent.attributes, name.slice(dot + 1));
  if (!parent || !attribute) {
    throw new ScimError("invalidFilter", `Unknown attribute ${quoted(written)} in the filter.`);
  }
  const keys = [...above, name.slice(0, dot), name.slice(dot + 1)];
  return parent.type === "multi" ? { attribute, keys, list: parent } : { attribute, keys };
}

/** Never what every object has, like `constructor`. */
function own<T>(table: Table<T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function refused({ written }: AttributeName, why: string): ScimError {
  return new ScimError("invalidFilter", `${quoted(written)} ${why}.`);
}
