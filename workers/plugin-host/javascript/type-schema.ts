import type { JsonSchema } from "../../../src/plugins/plugin-host.ts";
import { readDocComment } from "./doc-comment.ts";
import {
  commentBefore,
  keyName,
  literalValue,
  type Declarations,
  type ExpressionNode,
  type TypeMember,
  type TypeNode,
} from "./syntax.ts";

const maxDepth = 8;

/**
 * JSON Schema of a TypeScript type; types without a JSON equivalent, and recursive ones, are `{}`, which accepts
 * everything.
 */
export function schemaOfType(node: TypeNode | undefined, declarations: Declarations, depth = 0): JsonSchema {
  if (!node || depth > maxDepth) return {};
  const inner = (type: TypeNode | undefined) => schemaOfType(type, declarations, depth + 1);
  switch (node.type) {
    case "TSStringKeyword":
      return { type: "string" };
    case "TSNumberKeyword":
      return { type: "number" };
    case "TSBooleanKeyword":
      return { type: "boolean" };
    case "TSNullKeyword":
      return { type: "null" };
    case "TSObjectKeyword":
      return { type: "object" };
    case "TSLiteralType": {
      const value = literalValue(node.literal as ExpressionNode);
      return value === undefined ? { type: "string" } : { const: value };
    }
    case "TSArrayType":
      return { type: "array", items: inner(node.elementType) };
    case "TSTupleType":
      return { type: "array" };
    case "TSParenthesizedType":
      return inner(node.typeAnnotation);
    case "TSTypeOperator":
      return node.operator === "readonly" ? inner(node.typeAnnotation) : {};
    case "TSTypeLiteral":
      return schemaOfMembers(node.members, declarations, depth);
    case "TSUnionType":
      return schemaOfUnion(node.types.map(inner), node.types);
    case "TSIntersectionType":
      return mergeObjects(node.types.map(inner));
    case "TSTypeReference": {
      const name = node.typeName.type === "Identifier" ? node.typeName.name : "";
      const given = "typeArguments" in node ? (node.typeArguments?.params ?? []) : [];
      return schemaOfName(name, given, declarations, depth);
    }
    default:
      return {};
  }
}

function schemaOfName(name: string, given: readonly TypeNode[], declarations: Declarations, depth: number): JsonSchema {
  const declared = declarations.get(name);
  // Inside of it the name means nothing.
  const others = new Map(declarations);
  others.delete(name);
  const inner = (type: TypeNode | undefined) => schemaOfType(type, declared ? others : declarations, depth + 1);
  if (declared?.type === "TSInterfaceDeclaration") {
    const parents = (declared.extends ?? []).map((parent) =>
      parent.expression.type === "Identifier" ? schemaOfName(parent.expression.name, [], others, depth + 1) : {},
    );
    return mergeObjects([...parents, schemaOfMembers(declared.body.body, others, depth)]);
  }
  if (declared?.type === "TSTypeAliasDeclaration") return inner(declared.typeAnnotation);
  if (declared?.type === "TSEnumDeclaration") {
    const members = "body" in declared && declared.body ? declared.body.members : [];
    const values = members.map(({ initializer }, at) => literalValue(initializer as ExpressionNode | undefined) ?? at);
    return { enum: values };
  }
  switch (name) {
    case "Array":
    case "ReadonlyArray":
    case "Set":
      return { type: "array", items: inner(given[0]) };
    case "Record":
    case "Map":
      return { type: "object", additionalProperties: inner(given[1]) };
    case "Readonly":
    case "Required":
    case "NonNullable":
      return inner(given[0]);
    case "Partial": {
      const { required: _, ...rest } = inner(given[0]);
      return rest;
    }
    case "Date":
      return { type: "string", format: "date-time" };
    case "URL":
      return { type: "string", format: "uri" };
    case "integer":
    case "int":
      return { type: "integer" };
    case "String":
    case "Number":
    case "Boolean":
      return { type: name.toLowerCase() };
    case "Object":
      return { type: "object" };
    default:
      return {};
  }
}

function schemaOfMembers(members: readonly TypeMember[], declarations: Declarations, depth: number): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  let additional: JsonSchema | undefined;
  for (const member of members) {
    if (member.type === "TSIndexSignature") {
      additional = schemaOfType(member.typeAnnotation?.typeAnnotation as TypeNode, declarations, depth + 1);
    }
    if (member.type !== "TSPropertySignature" || member.computed) continue;
    const name = keyName(member.key);
    if (name === undefined) continue;
    const type = member.typeAnnotation?.typeAnnotation as TypeNode | undefined;
    const { description } = readDocComment(commentBefore(member));
    properties[name] = { ...schemaOfType(type, declarations, depth + 1), ...(description ? { description } : {}) };
    if (!member.optional && !allowsUndefined(type)) required.push(name);
  }
  return {
    type: "object",
    ...(Object.keys(properties).length > 0 || !additional ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(additional ? { additionalProperties: additional } : {}),
  };
}

export function allowsUndefined(type: TypeNode | undefined): boolean {
  return (
    type?.type === "TSUndefinedKeyword" ||
    (type?.type === "TSUnionType" && type.types.some((part) => part.type === "TSUndefinedKeyword"))
  );
}

function schemaOfUnion(schemas: JsonSchema[], types: readonly TypeNode[]): JsonSchema {
  const kept = schemas.filter((_, at) => types[at]?.type !== "TSUndefinedKeyword");
  if (kept.length === 1) return kept[0]!;
  if (kept.some((schema) => Object.keys(schema).length === 0)) return {};
  if (kept.every((schema) => "const" in schema)) return enumOf(kept.map((schema) => schema["const"]));
  const simple = kept.map((schema) => (Object.keys(schema).length === 1 ? schema["type"] : undefined));
  if (simple.every((type) => typeof type === "string")) return { type: [...new Set(simple)] };
  return { anyOf: kept };
}

/** With a type if the values share one, as tool clients prefer. */
export function enumOf(values: readonly unknown[]): JsonSchema {
  const types = new Set(values.map((value) => typeof value));
  const [only] = types.size === 1 ? types : [];
  return { ...(only === "string" || only === "number" || only === "boolean" ? { type: only } : {}), enum: [...values] };
}

function mergeObjects(schemas: readonly JsonSchema[]): JsonSchema {
  const properties = Object.assign({}, ...schemas.map((schema) => schema["properties"] ?? {})) as JsonSchema;
  const required = schemas.flatMap((schema) => (schema["required"] as string[] | undefined) ?? []);
  return { type: "object", properties, ...(required.length > 0 ? { required: [...new Set(required)] } : {}) };
}
