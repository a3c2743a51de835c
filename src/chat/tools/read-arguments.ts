import { Validator, type Schema } from "@cfworker/json-schema";
import { cutText } from "../../lib/cut-text.ts";
import { isRecord } from "../../lib/json.ts";
import { checkableSchema } from "../../plugins/checkable-schema.ts";
import type { JsonSchema } from "../../plugins/plugin-host.ts";

export type ReadArguments = { ok: true; args: Record<string, unknown> } | { ok: false; message: string };

/** Keywords whose message only says that a part is invalid. */
const outer = new Set(["properties", "items", "prefixItems", "$ref", "false"]);
/** Maximum number of problems reported to the model. */
const maxProblems = 5;
/** How much of the invalid arguments is repeated to it. */
const maxShownLength = 500;

/**
 * The arguments that a model wrote for a tool, validated against the tool's schema; problems are described for the
 * model. Empty text means no arguments.
 */
export function readArguments(written: string, schema: JsonSchema): ReadArguments {
  let value: unknown;
  try {
    value = written.trim() === "" ? {} : JSON.parse(written);
  } catch (error) {
    const shown = written.length > maxShownLength ? `${cutText(written, maxShownLength)}…` : written;
    return { ok: false, message: `The arguments are not valid JSON: ${(error as Error).message}\nThey were: ${shown}` };
  }
  // Some models write "null" for no arguments, and some quote the object once more.
  if (value === null) value = {};
  if (typeof value === "string") value = tryObject(value) ?? value;
  if (!isRecord(value)) return { ok: false, message: "The arguments must be a JSON object" };
  const problems = check(value, schema);
  if (problems.length === 0) return { ok: true, args: value };
  return { ok: false, message: `Invalid arguments: ${problems.slice(0, maxProblems).join("; ")}` };
}

function tryObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The problems. An invalid or too large schema is ignored: the tool itself then reports problems. */
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
