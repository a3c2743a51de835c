import type { JsonSchema } from "../../../src/plugins/plugin-host.ts";
import { readBraces, readDocComment, type DocComment } from "./doc-comment.ts";
import {
  commentBefore,
  keyName,
  literalValue,
  parseType,
  type ClassNode,
  type Declarations,
  type ExpressionNode,
  type PropertyNode,
  type TypeNode,
} from "./syntax.ts";
import { schemaOfValue } from "./tool-spec.ts";
import { allowsUndefined, enumOf, schemaOfType } from "./type-schema.ts";

/**
 * JSON Schema of a class of valves: each public property with its type, its initial value as the default, and its comment. Tags
 * say what types cannot: `@min @max @minLength @maxLength @pattern @title @options a, b @secret @multiline @integer`.
 */
export function readValves(node: ClassNode, title: string, declarations: Declarations): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const member of node.body.body) {
    if (member.type !== "ClassProperty" || member.static || member.computed) continue;
    const name = keyName(member.key);
    if (name === undefined || member.accessibility === "private" || name.startsWith("_")) continue;
    properties[name] = readProperty(name, member, declarations);
    const type =
      member.typeAnnotation && "typeAnnotation" in member.typeAnnotation
        ? member.typeAnnotation.typeAnnotation
        : undefined;
    if (!member.value && !member.optional && !allowsUndefined(type as TypeNode | undefined)) required.push(name);
  }
  return { type: "object", title, properties, ...(required.length > 0 ? { required } : {}) };
}

function readProperty(name: string, member: PropertyNode, declarations: Declarations): JsonSchema {
  const doc = readDocComment(commentBefore(member));
  const annotation = member.typeAnnotation as { typeAnnotation?: TypeNode } | null | undefined;
  const value = literalValue(member.value as ExpressionNode | null | undefined);
  const documented = readBraces(doc.tags.get("type") ?? "").type;
  const written = annotation?.typeAnnotation ?? (documented === undefined ? undefined : parseType(documented));
  const schema = written ? schemaOfType(written, declarations) : schemaOfValue(value);
  return {
    title: doc.tags.get("title") || titleOf(name),
    ...schema,
    ...(doc.description ? { description: doc.description } : {}),
    ...(value === undefined ? {} : { default: value }),
    ...readTags(doc),
  };
}

const numberTags = {
  min: "minimum",
  max: "maximum",
  minLength: "minLength",
  maxLength: "maxLength",
} as const;

function readTags({ tags }: DocComment): JsonSchema {
  const found: JsonSchema = {};
  for (const [tag, keyword] of Object.entries(numberTags)) {
    const number = Number(tags.get(tag) || Number.NaN);
    if (Number.isFinite(number)) found[keyword] = number;
  }
  if (tags.has("integer")) found["type"] = "integer";
  if (tags.has("pattern")) found["pattern"] = tags.get("pattern");
  if (tags.has("secret")) found["input"] = { type: "password" };
  if (tags.has("multiline")) found["input"] = { type: "textarea" };
  const options = (tags.get("options") ?? "").split(",").map((option) => option.trim());
  if (options.some((option) => option !== "")) Object.assign(found, enumOf(options.filter((option) => option !== "")));
  return found;
}

/** `apiKey` and `api_key` as "Api Key". */
function titleOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").split(/[\s_]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}
