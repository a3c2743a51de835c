import { Validator, type Schema } from "@cfworker/json-schema";
import { cutText } from "../../lib/cut-text.ts";
import { isRecord } from "../../lib/json.ts";
import { checkableSchema } from "../../plugins/checkable-schema.ts";
import type { JsonSchema } from "../../plugins/plugin-host.ts";

export type ReadArguments = { ok: true; args: Record<string, unknown> } | { ok: false; message: string };

/** Keywords whose problem only says that a part does not fit. */
const outer = new Set(["properties", "items", "prefixItems", "$ref", "false"]);
/** So many problems are told to the model at once. */
const mostProblems = 5;
/** So much of what it wrote is shown to it again. */
const longestShown = 500;

/**
 * The arguments that a model wrote for a tool, checked against the tool's schema; what is wrong is said in words for the model.
 * No text at all stands for no arguments.
 */
export function readArguments(written: string, schema: JsonSchema): ReadArguments {
  let value: unknown;
  try {
    value = written.trim() === "" ? {} : JSON.parse(written);
  } catch (error) {
    const shown = written.length > longestShown ? `${cutText(written, longestShown)}…` : written;
    return { ok: false, message: `The arguments are not valid JSON: ${(error as Error).message}\nThey were: ${shown}` };
  }
  // Some models write "null" for no arguments, and some quote the object once more.
  if (value === null) value = {};
  if (typeof value === "string") value = tryObject(value) ?? value;
  if (!isRecord(value)) return { ok: false, message: "The arguments must be one JSON object" };
  const problems = check(value, schema);
  if (problems.length === 0) return { ok: true, args: value };
  return { ok: false, message: `The arguments do not fit: ${problems.slice(0, mostProblems).join("; ")}` };
}

function tryObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong. A schema that is broken itself, or too much, decides nothing: then the tool says what it does not like. */
function check(args: Record<string, unknown>, schema: JsonSchema): string[] {
  try {
    const checkable = checkableSchema(schema, args);
    if (!checkable) return [];
    const { valid, errors } = new Validator(checkable as Schema, "2020-12", false).validate(args);
    if (valid) return [];
    // Of the problems of an object and those of its parts, the inner ones say why.
    const inner = errors.filter(({ keyword }) => !outer.has(keyword));
    return (inner.length > 0 ? inner : errors).map(({ instanceLocation, error }) => {
      const place = instanceLocation.replace(/^#\/?/, "");
      return place === "" ? error : `${place}: ${error}`;
    });
  } catch {
    return [];
  }
}
