import { humanize } from "./humanize.ts";

/** What a field is shown as. `json` is what no other kind fits: it is edited as the text it is. */
export type FieldKind =
  | "text"
  | "multiline"
  | "password"
  | "number"
  | "integer"
  | "boolean"
  | "choice"
  | "list"
  | "choices"
  | "object"
  | "json";

/** One of the values that a field may have. */
export interface Choice {
  value: unknown;
  label: string;
}

/** What the schema says that a value must keep to; see JSON Schema 2020-12, section 6. */
export interface Limits {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
}

/** A property of a schema, ready to be shown. */
export interface SchemaField {
  name: string;
  label: string;
  hint: string;
  kind: FieldKind;
  /** Must be given: it has no default. */
  required: boolean;
  /** May be null. */
  nullable: boolean;
  /** What holds when nothing is given; undefined when the schema names nothing. */
  default: unknown;
  choices: Choice[];
  /** Kind of the entries of a `list`. */
  itemKind: "text" | "number" | "integer";
  /** Fields of an `object`. */
  fields: SchemaField[];
  limits: Limits;
}

type Schema = Record<string, unknown>;

/** Deeper objects than this, and such that contain themselves, are edited as text. */
const deepest = 6;
const numberLimits = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;
const sizeLimits = ["minLength", "maxLength", "minItems", "maxItems"] as const;

/**
 * The fields of a JSON schema of type object, in its order: as pydantic, zod and OpenAPI write them (`$ref`, `anyOf` with
 * null, `allOf` of one, `const`), with the hints of plugins (`format: password`, `input: {type, options}`). Never throws:
 * what it cannot read becomes a `json` field, and what is no object has no fields.
 */
export function readSchema(schema: unknown): SchemaField[] {
  return isRecord(schema) ? readFields(schema, schema, 0) : [];
}

function readFields(schema: Schema, root: Schema, depth: number): SchemaField[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).map(([name, property]) =>
    readField(name, isRecord(property) ? property : {}, required.includes(name), root, depth),
  );
}

function readField(name: string, property: Schema, required: boolean, root: Schema, depth: number): SchemaField {
  const { schema, nullable } = resolve(property, root);
  const choices = readChoices(schema);
  const items = isRecord(schema["items"]) ? resolve(schema["items"], root).schema : undefined;
  const kind = readKind(name, schema, choices, items, depth);
  return {
    name,
    label: text(schema["title"]) || humanize(name),
    hint: text(schema["description"]),
    kind,
    required: required && schema["default"] === undefined,
    nullable,
    default: schema["default"],
    choices: kind === "choices" && items ? readChoices(items) : choices,
    itemKind: items?.["type"] === "integer" || items?.["type"] === "number" ? items["type"] : "text",
    fields: kind === "object" ? readFields(schema, root, depth + 1) : [],
    limits: readLimits(schema),
  };
}

/** Follows references and takes the one kind out of "that or null". What the property itself says wins over what it refers to. */
function resolve(property: Schema, root: Schema): { schema: Schema; nullable: boolean } {
  let schema = property;
  let nullable = false;
  for (let step = 0; step < 8; step++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = schema;
    const several = [anyOf, oneOf].find((each) => Array.isArray(each)) as unknown[] | undefined;
    if (typeof $ref === "string") schema = { ...find($ref, root), ...rest };
    else if (several) {
      const kinds = several.filter(isRecord);
      const others = kinds.filter((each) => each["type"] !== "null");
      nullable ||= others.length < kinds.length;
      if (others.length === 1) schema = { ...others[0], ...rest };
      else return { schema: { ...rest, choices: others }, nullable };
    } else if (Array.isArray(allOf) && allOf.length === 1 && isRecord(allOf[0])) schema = { ...allOf[0], ...rest };
    else break;
  }
  const { type } = schema;
  if (Array.isArray(type)) {
    const others = type.filter((each) => each !== "null");
    nullable ||= others.length < type.length;
    schema = { ...schema, type: others.length === 1 ? others[0] : undefined };
  }
  return { schema, nullable };
}

/** `#/$defs/Name` and `#/definitions/Name`; an empty schema for what is not there. */
function find(reference: string, root: Schema): Schema {
  let at: unknown = root;
  for (const part of reference.replace(/^#\/?/u, "").split("/").filter(Boolean)) {
    at = isRecord(at) ? at[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isRecord(at) ? at : {};
}

function readKind(
  name: string,
  schema: Schema,
  choices: readonly Choice[],
  items: Schema | undefined,
  depth: number,
): FieldKind {
  const input = text(isRecord(schema["input"]) ? schema["input"]["type"] : schema["input"]);
  if (choices.length > 0) return "choice";
  switch (schema["type"]) {
    case "boolean":
      return "boolean";
    case "integer":
      return "integer";
    case "number":
      return "number";
    case "string":
      if (schema["format"] === "password" || schema["writeOnly"] === true || input === "password") return "password";
      return input === "textarea" || isLong(name, schema) ? "multiline" : "text";
    case "array":
      if (items && readChoices(items).length > 0) return "choices";
      return items && ["string", "integer", "number"].includes(text(items["type"])) ? "list" : "json";
    case "object":
      return isRecord(schema["properties"]) && depth < deepest ? "object" : "json";
    default:
      return "json";
  }
}

/** Schemas do not say how long a text is meant to be; its name, its default and its limit do. */
function isLong(name: string, schema: Schema): boolean {
  const value = text(schema["default"]);
  if (value.includes("\n") || value.length > 80) return true;
  if (Number(schema["maxLength"]) <= 120) return false;
  return /prompt|template|instruction|message|(^|_)text($|_)/iu.test(name);
}

function readChoices(schema: Schema): Choice[] {
  const input = isRecord(schema["input"]) ? schema["input"] : {};
  const given = [schema["enum"], input["type"] === "select" ? input["options"] : undefined].find(Array.isArray);
  if (given) return given.map(readChoice);
  if ("const" in schema) return [readChoice(schema["const"])];
  const kinds = Array.isArray(schema["choices"]) ? (schema["choices"] as Schema[]) : [];
  const constants = kinds.filter((kind) => "const" in kind || (Array.isArray(kind["enum"]) && kind["enum"].length > 0));
  return constants.length === kinds.length ? constants.flatMap(readChoices) : [];
}

/** A bare value, or the plugins' `{value, label}`. */
function readChoice(option: unknown): Choice {
  if (isRecord(option) && "value" in option)
    return { value: option["value"], label: text(option["label"]) || show(option["value"]) };
  return { value: option, label: show(option) };
}

function readLimits(schema: Schema): Limits {
  const limits: Limits = {};
  for (const name of [...numberLimits, ...sizeLimits]) {
    const value = schema[name];
    if (typeof value === "number") limits[name] = value;
  }
  if (typeof schema["pattern"] === "string") limits.pattern = schema["pattern"];
  return limits;
}

/** A value in words: texts as they are, everything else as JSON. */
export function show(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

/** Whether a value is an object whose fields may be looked at, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
