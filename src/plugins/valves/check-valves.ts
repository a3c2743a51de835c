import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { AppError, type Issue } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { checkableSchema, unescapePointer } from "../checkable-schema.ts";
import type { JsonSchema } from "../plugin-host.ts";

type Values = Record<string, unknown>;

/** Largest values of one plugin, in characters of JSON. */
const maxValuesLength = 200_000;

/**
 * The values that were set, with a change laid over them: only what it names changes, and `null` goes back to the default.
 * Texts that say a number or a truth are taken for it where the schema wants one, as forms send them.
 * @throws AppError `validation_failed` that names each field which does not fit, `bad_request` for a plugin without valves.
 */
export function changeValves(schema: JsonSchema | null, stored: Values, change: Values): Values {
  if (schema === null) throw new AppError("bad_request", "This plugin has no valves");
  const properties = propertiesOf(schema);
  const next: Values = { ...stored };
  const unknown: Issue[] = [];
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(properties, name) && !allowsMore(schema)) {
      unknown.push({ path: name, message: "No such valve" });
    } else if (value === null) delete next[name];
    else next[name] = coerced(properties[name], value);
  }
  if (JSON.stringify(next).length > maxValuesLength)
    throw new AppError("validation_failed", `More than ${maxValuesLength / 1000},000 characters in the valves`);
  // What an older version of the source left behind stays, and is no part of this.
  const issues = [...unknown, ...problemsOf(schema, knownValues(schema, next))];
  if (issues.length > 0) {
    const { path, message } = issues[0]!;
    throw new AppError("validation_failed", `${path}: ${message}`, { issues, param: path });
  }
  return next;
}

/** Those of the stored values that the plugin has as it is now, and that fit. */
export function usableValves(schema: JsonSchema | null, stored: Values): Values {
  if (schema === null) return {};
  const known = knownValues(schema, stored);
  for (const { path } of problemsOf(schema, known)) delete known[path];
  return known;
}

/** Those of the values that the schema has a place for. */
export function knownValues(schema: JsonSchema | null, values: Values): Values {
  if (schema === null) return {};
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => allowsMore(schema) || Object.hasOwn(properties, name)),
  );
}

function propertiesOf(schema: JsonSchema): Values {
  return isRecord(schema["properties"]) ? schema["properties"] : {};
}

function allowsMore(schema: JsonSchema): boolean {
  const more = schema["additionalProperties"];
  return more === true || isRecord(more);
}

/** What does not fit, each field once. That a value is missing is no problem: it may be set later. */
function problemsOf(schema: JsonSchema, values: Values): Issue[] {
  let errors: OutputUnit[];
  try {
    const checkable = checkableSchema(schema, values);
    if (!checkable) return [];
    const { required: _, ...optional } = checkable;
    errors = new Validator(optional as Schema, "2020-12", false).validate(values).errors;
  } catch {
    // No schema that anything could be checked against: the plugin's own model decides.
    return [];
  }
  const found = new Map<string, { weight: number; message: string }>();
  for (const { instanceLocation, keyword, error } of errors) {
    const path = instanceLocation.split("/").slice(1).map(unescapePointer);
    const field = path[0];
    if (field === undefined) continue;
    const weight = weightOf(keyword, error, path.length);
    if ((found.get(field)?.weight ?? -1) < weight) found.set(field, { weight, message: inWords(keyword, error) });
  }
  return [...found].map(([path, { message }]) => ({ path, message }));
}

/** The deepest error says what is wrong, those above only that something is; that a value is not null is no advice. */
function weightOf(keyword: string, error: string, depth: number): number {
  const isAbove = ["properties", "items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "$ref"];
  if (isAbove.includes(keyword)) return 0;
  return error.includes('Expected "null"') ? 1 : 1 + depth;
}

const types: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function inWords(keyword: string, error: string): string {
  const [, type = ""] = /Expected "(\w+)"/.exec(error) ?? [];
  if (keyword === "type" && types[type] !== undefined) return `Expected ${types[type]}`;
  const [, choices] = /does not match any of \[(.*)\]\.$/s.exec(error) ?? [];
  return keyword === "enum" && choices !== undefined ? `Expected one of ${choices.replaceAll(",", ", ")}` : error;
}

function coerced(property: unknown, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const types = typesOf(property);
  if (types.has("string")) return value;
  if ((types.has("integer") || types.has("number")) && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  if (types.has("boolean") && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}

/** The types that a property allows, where it says so itself; `string` where it does not. */
function typesOf(property: unknown): Set<unknown> {
  if (!isRecord(property)) return new Set(["string"]);
  const { type, anyOf } = property;
  if (Array.isArray(anyOf)) return new Set(anyOf.flatMap((option: unknown) => [...typesOf(option)]));
  return new Set(Array.isArray(type) ? type : type === undefined ? ["string"] : [type]);
}
