import { isRecord } from "../../../lib/json.ts";
import type { ServerFunction } from "../tool-server-state.ts";
import type { Dereferencer } from "./dereference.ts";
import { modelSchema, objectFields } from "./model-schema.ts";
import type { BodyPlan, OperationPlan, ParameterPlan } from "./operation-plan.ts";
import { toolName } from "./tool-name.ts";

type Schema = Record<string, unknown>;

interface Given {
  name: string;
  method: string;
  path: string;
  baseUrl: string;
  operation: Record<string, unknown>;
  /** Parameters of the path. */
  shared: unknown;
}

const maxDescriptionLength = 2000;

/** What a model is told of an operation, and how it is called. */
export function readOperation(refs: Dereferencer, given: Given): ServerFunction {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  const taken = new Set<string>();
  /** The argument under which a model gives the value. */
  const argument = (name: string, place: string, schema: Schema, isRequired: boolean) => {
    const own = toolName(taken.has(name) ? `${name}_${place}` : name, taken);
    properties[own] = own === name ? schema : { ...schema, description: describe(schema, `${place} ${name}`) };
    if (isRequired) required.push(own);
    return own;
  };
  const parameters = readParameters(refs, given).map(({ plan, schema }): ParameterPlan => {
    return { ...plan, argument: argument(plan.name, plan.in, schema, plan.required) };
  });
  const body = readBody(refs, given.operation["requestBody"], argument);
  const plan: OperationPlan = {
    kind: "openapi",
    method: given.method.toUpperCase(),
    baseUrl: given.baseUrl,
    path: given.path,
    parameters,
    body,
  };
  return {
    spec: {
      name: given.name,
      description: descriptionOf(given),
      parameters: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
    },
    plan,
  };
}

function describe(schema: Schema, where: string): string {
  const { description } = schema;
  return typeof description === "string" && description !== "" ? description : `The ${where}`;
}

function descriptionOf({ operation, method, path }: Given): string {
  const texts = [operation["summary"], operation["description"]].filter((text) => typeof text === "string");
  const [first = "", second = ""] = texts.map((text) => text.trim()).filter((text) => text !== "");
  const whole = second.startsWith(first) ? second || first : [first, second].filter(Boolean).join("\n\n");
  return (whole || `${method.toUpperCase()} ${path}`).slice(0, maxDescriptionLength);
}

const places = ["path", "query", "header", "cookie"] as const;
/** Of these the document's own words are not meant as parameters (OpenAPI 3.1, 4.8.12.1). */
const notParameters = new Set(["accept", "content-type", "authorization"]);

/** Those of the operation win over those of the path with the same name and place. */
function readParameters(refs: Dereferencer, { operation, shared, path }: Given) {
  const found = new Map<string, { plan: Omit<ParameterPlan, "argument">; schema: Schema }>();
  for (const list of [shared, operation["parameters"]]) {
    if (!Array.isArray(list)) continue;
    for (const value of list.slice(0, 200)) {
      const parameter = refs.resolve(value);
      const name = parameter?.["name"];
      const place = places.find((candidate) => candidate === parameter?.["in"]);
      if (!parameter || typeof name !== "string" || name === "" || name.length > 200 || !place) continue;
      if (place === "header" && notParameters.has(name.toLowerCase())) continue;
      if (place === "path" && !path.includes(`{${name}}`)) continue;
      found.set(`${place} ${name}`, readParameter(refs, parameter, name, place));
    }
  }
  // What stands in the template must be filled, whether it is described or not.
  for (const [, name] of path.matchAll(/\{([^{}]+)\}/g)) {
    const key = `path ${name!}`;
    if (!found.has(key)) found.set(key, readParameter(refs, { schema: { type: "string" } }, name!, "path"));
  }
  return [...found.values()];
}

const styles = ["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"] as const;

function readParameter(
  refs: Dereferencer,
  parameter: Record<string, unknown>,
  name: string,
  place: ParameterPlan["in"],
): { plan: Omit<ParameterPlan, "argument">; schema: Schema } {
  const content = isRecord(parameter["content"]) ? Object.values(parameter["content"])[0] : undefined;
  const schema = modelSchema(
    refs.expand(content === undefined ? parameter["schema"] : refs.resolve(content)?.["schema"]),
  );
  const { description } = parameter;
  if (typeof description === "string" && description.trim() !== "")
    schema["description"] = description.trim().slice(0, maxDescriptionLength);
  const style =
    styles.find((candidate) => candidate === parameter["style"]) ??
    (place === "query" || place === "cookie" ? "form" : "simple");
  const explode = typeof parameter["explode"] === "boolean" ? parameter["explode"] : style === "form";
  return {
    plan: {
      name,
      in: place,
      required: place === "path" || parameter["required"] === true,
      style,
      explode,
      allowReserved: parameter["allowReserved"] === true,
      asJson: content !== undefined,
    },
    schema,
  };
}

/** The one of the body's types that is written: JSON before forms before text before anything else. */
function chooseType(content: Record<string, unknown>): string | undefined {
  const types = Object.keys(content);
  const wanted = [
    /^application\/json\b/i,
    /^[\w.-]+\/[\w.-]+\+json\b/i,
    /^application\/x-www-form-urlencoded\b/i,
    /^multipart\/form-data\b/i,
    /^text\//i,
  ];
  for (const pattern of wanted) {
    const type = types.find((candidate) => pattern.test(candidate));
    if (type !== undefined) return type;
  }
  return types.find((type) => /^\*\/\*|^application\/\*/.test(type)) ? "application/json" : types[0];
}

function readBody(
  refs: Dereferencer,
  value: unknown,
  argument: (name: string, place: string, schema: Schema, isRequired: boolean) => string,
): BodyPlan | undefined {
  const given = refs.resolve(value);
  const content = given && isRecord(given["content"]) ? given["content"] : undefined;
  const contentType = content && chooseType(content);
  if (!given || !content || contentType === undefined) return undefined;
  const required = given["required"] === true;
  const media = refs.resolve(content[contentType] ?? Object.values(content)[0]);
  const schema = modelSchema(refs.expand(media?.["schema"]));
  const isText = !/json|x-www-form-urlencoded|multipart\/form-data/i.test(contentType);
  const fields = isText ? undefined : objectFields(schema);
  if (fields) {
    return {
      contentType,
      required,
      whole: undefined,
      fields: Object.entries(fields.properties).map(([name, part]) => {
        const isRequired = fields.required.has(name);
        return { name, argument: argument(name, "body", part, required && isRequired), required: isRequired };
      }),
    };
  }
  const described = typeof given["description"] === "string" ? { description: given["description"] } : {};
  const whole = isText ? { type: "string", ...described } : { ...described, ...schema };
  return { contentType, required, whole: argument("body", "body", whole, required), fields: [] };
}
