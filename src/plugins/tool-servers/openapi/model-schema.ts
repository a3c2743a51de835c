import { isRecord } from "../../../lib/json.ts";

/** Keywords of JSON Schema that say something to a model; the rest (examples, XML, discriminators) stays away. */
const kept = new Set([
  "type",
  "title",
  "description",
  "default",
  "enum",
  "const",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "required",
]);
const nested = new Set(["items", "additionalProperties", "not"]);
const lists = new Set(["oneOf", "anyOf", "allOf", "prefixItems"]);

type Schema = Record<string, unknown>;

/**
 * A schema of a document with references resolved, as JSON Schema for models: OpenAPI 3.0's own forms (`nullable`,
 * boolean exclusive bounds) are converted, and response-only fields removed.
 */
export function modelSchema(value: unknown): Schema {
  if (!isRecord(value)) return {};
  const schema: Schema = {};
  for (const [name, part] of Object.entries(value)) {
    if (kept.has(name)) schema[name] = part;
    else if (nested.has(name)) schema[name] = typeof part === "boolean" ? part : modelSchema(part);
    else if (lists.has(name) && Array.isArray(part)) schema[name] = part.map(modelSchema);
    else if (name === "properties" && isRecord(part)) schema[name] = properties(part);
  }
  if (typeof schema["description"] !== "string") delete schema["description"];
  const { required } = schema;
  if (Array.isArray(required)) {
    const known = isRecord(schema["properties"]) ? schema["properties"] : undefined;
    const names = required.filter((name) => typeof name === "string" && (!known || Object.hasOwn(known, name)));
    if (names.length > 0) schema["required"] = names;
    else delete schema["required"];
  } else delete schema["required"];
  bounds(schema, "exclusiveMinimum", "minimum");
  bounds(schema, "exclusiveMaximum", "maximum");
  if (value["nullable"] === true) nullable(schema);
  return schema;
}

function properties(given: Schema): Schema {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, part]) => name !== "__proto__" && !(isRecord(part) && part["readOnly"] === true))
      .map(([name, part]) => [name, modelSchema(part)]),
  );
}

function bounds(schema: Schema, exclusive: string, inclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  if (schema[exclusive] === true && typeof schema[inclusive] === "number") {
    schema[exclusive] = schema[inclusive];
    delete schema[inclusive];
  } else delete schema[exclusive];
}

function nullable(schema: Schema): void {
  if (typeof schema["type"] === "string") schema["type"] = [schema["type"], "null"];
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(null)) schema["enum"] = [...schema["enum"], null];
}

/** Fields of an object with only known fields; simple `allOf`s are merged. Undefined for anything else. */
export function objectFields(
  schema: Schema,
): { properties: Record<string, Schema>; required: Set<string> } | undefined {
  if (schema["oneOf"] !== undefined || schema["anyOf"] !== undefined || schema["not"] !== undefined) return undefined;
  if (isRecord(schema["additionalProperties"]) || schema["additionalProperties"] === true) return undefined;
  const own = isRecord(schema["properties"]) ? (schema["properties"] as Record<string, Schema>) : {};
  const names = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  const found = { properties: { ...own }, required: new Set(names) };
  for (const part of Array.isArray(schema["allOf"]) ? (schema["allOf"] as Schema[]) : []) {
    const fields = objectFields(part);
    if (!fields) return undefined;
    Object.assign(found.properties, fields.properties);
    for (const name of fields.required) found.required.add(name);
  }
  return Object.keys(found.properties).length > 0 ? found : undefined;
}
