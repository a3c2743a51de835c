import type { JsonSchema, ToolSpec } from "../../../src/plugins/plugin-host.ts";
import { readDocComment, type DocComment } from "./doc-comment.ts";
import type { Parameter } from "./source-meta.ts";
import {
  commentBefore,
  keyName,
  literalValue,
  parseType,
  type Declarations,
  type ExpressionNode,
  type FunctionNode,
  type ParameterNode,
  type TypeMember,
  type TypeNode,
} from "./syntax.ts";
import { allowsUndefined, schemaOfType } from "./type-schema.ts";

/** Injected by name, never shown to a model. */
export function isReserved(name: string): boolean {
  return /^__\w+__$/.test(name);
}

/** How the runner fills the parameters of a function. */
export function readParameters(node: FunctionNode): Parameter[] {
  return node.params.map((parameter) => {
    const target = withoutDefault(parameter as ParameterNode);
    if (target.type !== "ObjectPattern") return { name: target.type === "Identifier" ? target.name : "" };
    const keys = target.properties.flatMap((property) =>
      property.type === "ObjectProperty" ? (keyName(property.key) ?? []) : [],
    );
    return { keys, rest: target.properties.some(({ type }) => type === "RestElement") };
  });
}

/** The specification of a tool, from the types and the comment of its function. */
export function readToolSpec(name: string, node: FunctionNode, comment: string, declarations: Declarations): ToolSpec {
  const doc = readDocComment(comment);
  const fields = node.params.flatMap((parameter) => readFields(parameter as ParameterNode, declarations));
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of fields.filter(({ name }) => !isReserved(name))) {
    const documented = doc.params.get(field.name) ?? findNested(doc, field.name);
    const schema = field.type
      ? schemaOfType(field.type, declarations)
      : documented?.type !== undefined
        ? schemaOfType(parseType(documented.type), declarations)
        : schemaOfValue(field.default);
    const description = documented?.description || field.description;
    properties[field.name] = {
      ...schema,
      ...(description ? { description } : {}),
      ...(field.default === undefined ? {} : { default: field.default }),
    };
    if (!field.optional && !documented?.optional) required.push(field.name);
  }
  return {
    name,
    description: doc.description || name,
    parameters: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
  };
}

interface Field {
  name: string;
  type: TypeNode | undefined;
  description: string;
  default: unknown;
  optional: boolean;
}

function readFields(parameter: ParameterNode, declarations: Declarations): Field[] {
  const target = withoutDefault(parameter);
  const type = annotationOf(target) ?? annotationOf(parameter);
  const value = parameter.type === "AssignmentPattern" ? (parameter.right as ExpressionNode) : undefined;
  if (target.type === "Identifier") {
    const isOptional = value !== undefined || target.optional === true || allowsUndefined(type);
    return [{ name: target.name, type, description: "", default: literalValue(value), optional: isOptional }];
  }
  if (target.type !== "ObjectPattern") return [];
  const members = membersOf(type, declarations);
  return target.properties.flatMap((property): Field[] => {
    const name = property.type === "ObjectProperty" ? keyName(property.key) : undefined;
    if (property.type !== "ObjectProperty" || name === undefined) return [];
    const member = members.find((each) => each.type === "TSPropertySignature" && keyName(each.key) === name);
    const signature = member?.type === "TSPropertySignature" ? member : undefined;
    const memberType = signature?.typeAnnotation?.typeAnnotation as TypeNode | undefined;
    const value = property.value.type === "AssignmentPattern" ? (property.value.right as ExpressionNode) : undefined;
    const isOptional = value !== undefined || signature?.optional === true || allowsUndefined(memberType);
    return [
      {
        name,
        type: memberType,
        description: signature ? readDocComment(commentBefore(signature)).description : "",
        default: literalValue(value),
        optional: isOptional,
      },
    ];
  });
}

/** The type's members, also where it is named. */
function membersOf(type: TypeNode | undefined, declarations: Declarations): readonly TypeMember[] {
  if (type?.type === "TSTypeLiteral") return type.members;
  if (type?.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return [];
  const declared = declarations.get(type.typeName.name);
  if (declared?.type === "TSInterfaceDeclaration") return declared.body.body;
  return declared?.type === "TSTypeAliasDeclaration" ? membersOf(declared.typeAnnotation, new Map()) : [];
}

/** `@param options.city` belongs to the destructured `city`. */
function findNested(doc: DocComment, name: string) {
  return [...doc.params].find(([key]) => key.endsWith(`.${name}`))?.[1];
}

function withoutDefault(parameter: ParameterNode) {
  return parameter.type === "AssignmentPattern" ? parameter.left : parameter;
}

function annotationOf(node: object): TypeNode | undefined {
  const annotation = "typeAnnotation" in node ? (node.typeAnnotation as { typeAnnotation?: TypeNode } | null) : null;
  return annotation?.typeAnnotation;
}

/** The schema of a default value, if there is no type. */
export function schemaOfValue(value: unknown): JsonSchema {
  if (Array.isArray(value)) return { type: "array" };
  if (value === null || value === undefined) return {};
  return { type: typeof value };
}
