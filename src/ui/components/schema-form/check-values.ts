import { isRecord, type SchemaField } from "./read-schema.ts";
import { texts } from "./texts.ts";
import { Unparsed } from "./unparsed.ts";

/** What is wrong, by the path of the field (`name`, `outer.inner`, `list.2`). */
export type SchemaErrors = Readonly<Record<string, string>>;

/**
 * What the values lack before they can be saved; an empty object when nothing does. The service checks again: this only
 * says it sooner, in words, at the field.
 */
export function checkValues(fields: readonly SchemaField[], values: Record<string, unknown>, path = ""): SchemaErrors {
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const at = path ? `${path}.${field.name}` : field.name;
    const value = values[field.name];
    if (value === undefined) {
      if (field.kind === "object") Object.assign(errors, field.required ? checkValues(field.fields, {}, at) : {});
      else if (field.required) errors[at] = texts.required;
    } else if (value === null) {
      if (!field.nullable) errors[at] = texts.required;
    } else if (field.kind === "object" && isRecord(value)) Object.assign(errors, checkValues(field.fields, value, at));
    else if (field.kind === "list" && Array.isArray(value)) Object.assign(errors, checkList(field, value, at));
    else {
      const problem = checkOne(field, value);
      if (problem) errors[at] = problem;
    }
  }
  return errors;
}

function checkList(field: SchemaField, list: readonly unknown[], at: string): SchemaErrors {
  const errors: Record<string, string> = {};
  for (const [index, entry] of list.entries()) {
    const wrong = entry instanceof Unparsed || (field.itemKind === "integer" && !Number.isInteger(entry));
    if (wrong) errors[`${at}.${index}`] = field.itemKind === "integer" ? texts.noInteger : texts.noNumber;
  }
  const size = checkSize(field, list.length);
  if (size) errors[at] = size;
  return errors;
}

function checkSize({ limits }: SchemaField, size: number): string | undefined {
  if (limits.minItems !== undefined && size < limits.minItems) return texts.tooFew(limits.minItems);
  if (limits.maxItems !== undefined && size > limits.maxItems) return texts.tooMany(limits.maxItems);
  return undefined;
}

function checkOne(field: SchemaField, value: unknown): string | undefined {
  switch (field.kind) {
    case "number":
    case "integer":
      if (typeof value !== "number") return texts.noNumber;
      if (field.kind === "integer" && !Number.isInteger(value)) return texts.noInteger;
      return checkNumber(field, value);
    case "text":
    case "multiline":
    case "password":
      return typeof value === "string" ? checkText(field, value) : texts.noText;
    case "choice":
      return field.choices.some((choice) => same(choice.value, value)) ? undefined : texts.noChoice;
    case "choices":
      return Array.isArray(value) ? checkSize(field, value.length) : texts.noChoice;
    case "boolean":
      return typeof value === "boolean" ? undefined : texts.noChoice;
    default:
      return value instanceof Unparsed ? texts.noJson : undefined;
  }
}

function checkNumber({ limits }: SchemaField, value: number): string | undefined {
  if (limits.minimum !== undefined && value < limits.minimum) return texts.atLeast(limits.minimum);
  if (limits.maximum !== undefined && value > limits.maximum) return texts.atMost(limits.maximum);
  if (limits.exclusiveMinimum !== undefined && value <= limits.exclusiveMinimum)
    return texts.moreThan(limits.exclusiveMinimum);
  if (limits.exclusiveMaximum !== undefined && value >= limits.exclusiveMaximum)
    return texts.lessThan(limits.exclusiveMaximum);
  if (limits.multipleOf && Math.abs(value / limits.multipleOf - Math.round(value / limits.multipleOf)) > 1e-9)
    return texts.multipleOf(limits.multipleOf);
  return undefined;
}

function checkText({ limits }: SchemaField, value: string): string | undefined {
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = [...value];
  if (limits.minLength !== undefined && length < limits.minLength) return texts.tooShort(limits.minLength);
  if (limits.maxLength !== undefined && length > limits.maxLength) return texts.tooLong(limits.maxLength);
  return limits.pattern !== undefined && !matches(limits.pattern, value) ? texts.noMatch(limits.pattern) : undefined;
}

/** Patterns of other languages need not be ones here; the service knows better then. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

/** Whether two values of a schema are equal: choices may be anything that JSON can hold. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
