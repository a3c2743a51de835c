import { parse } from "@babel/parser";

/** The node kinds of a parsed source that are used. */
export type SourceFile = ReturnType<typeof parse>;
export type Statement = SourceFile["program"]["body"][number];
export type ClassNode = Extract<Statement, { type: "ClassDeclaration" }>;
export type ClassMember = ClassNode["body"]["body"][number];
export type MethodNode = Extract<ClassMember, { type: "ClassMethod" }>;
export type PropertyNode = Extract<ClassMember, { type: "ClassProperty" }>;
export type ParameterNode = MethodNode["params"][number];
export type TypeNode = Extract<Statement, { type: "TSTypeAliasDeclaration" }>["typeAnnotation"];
export type TypeMember = Extract<TypeNode, { type: "TSTypeLiteral" }>["members"][number];
export type ExpressionNode = Extract<Statement, { type: "ExpressionStatement" }>["expression"];
export type ObjectNode = Extract<ExpressionNode, { type: "ObjectExpression" }>;
export type FunctionNode =
  | MethodNode
  | Extract<ObjectNode["properties"][number], { type: "ObjectMethod" }>
  | Extract<ExpressionNode, { type: "ArrowFunctionExpression" | "FunctionExpression" }>;

/** Names declared in a source: classes, interfaces, type aliases and enums. */
export type Declarations = ReadonlyMap<string, Statement>;

/** A JavaScript or TypeScript module. @throws SyntaxError with `loc` (line from 1, column from 0) */
export function parseSource(source: string): SourceFile {
  return parse(source, { sourceType: "module", plugins: ["typescript"] });
}

const loading = new Set(["Import", "ImportExpression", "ImportDeclaration", "ExportAllDeclaration"]);

/**
 * The places where a module loads others, statically or dynamically.
 * @param code JavaScript
 */
export function findLoading(code: string): { line: number; column: number }[] {
  const places: { line: number; column: number }[] = [];
  const rest: unknown[] = [parse(code, { sourceType: "module" }).program];
  while (rest.length > 0) {
    const node = rest.pop() as { type?: string; source?: unknown; loc?: { start: { line: number; column: number } } };
    const loads = loading.has(node.type ?? "") || (node.type === "ExportNamedDeclaration" && node.source);
    if (loads && node.loc) places.push(node.loc.start);
    for (const part of Object.values(node)) if (typeof part === "object" && part !== null) rest.push(part);
  }
  return places.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** A type in a comment; undefined if it is not valid TypeScript. */
export function parseType(text: string): TypeNode | undefined {
  try {
    const [statement] = parseSource(`type T = ${text};`).program.body;
    return statement?.type === "TSTypeAliasDeclaration" ? statement.typeAnnotation : undefined;
  } catch {
    return undefined;
  }
}

/** The block comment directly before a node, without its delimiters; empty if there is none. */
export function commentBefore(node: {
  leadingComments?: { type: string; value: string }[] | null | undefined;
}): string {
  const last = node.leadingComments?.findLast(({ type, value }) => type === "CommentBlock" && value.startsWith("*"));
  return last?.value ?? "";
}

/** Top-level statements by declared name, including exported ones. */
export function findDeclarations(file: SourceFile): Declarations {
  const found = new Map<string, Statement>();
  for (const statement of file.program.body) {
    const declared =
      statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration"
        ? statement.declaration
        : statement;
    if (declared && "id" in declared && declared.id?.type === "Identifier") {
      found.set(declared.id.name, declared as Statement);
    }
  }
  return found;
}

/** The value of a literal, or of an array or object of literals; undefined for anything else. */
export function literalValue(node: ExpressionNode | null | undefined): unknown {
  switch (node?.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NullLiteral":
      return null;
    case "TemplateLiteral":
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined;
    case "UnaryExpression": {
      const value = literalValue(node.argument);
      return node.operator === "-" && typeof value === "number" ? -value : undefined;
    }
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return literalValue(node.expression);
    case "ArrayExpression": {
      const values = node.elements.map((element) => literalValue(element as ExpressionNode | null));
      return values.includes(undefined) ? undefined : values;
    }
    case "ObjectExpression": {
      const entries = node.properties.map((property) => {
        if (property.type !== "ObjectProperty" || property.computed) return undefined;
        const value = literalValue(property.value as ExpressionNode);
        return value === undefined ? undefined : [keyName(property.key), value];
      });
      return entries.includes(undefined) ? undefined : Object.fromEntries(entries as [string, unknown][]);
    }
    default:
      return undefined;
  }
}

/** Name of a property that is not computed; undefined for private and computed ones. */
export function keyName(key: { type: string; name?: unknown; value?: unknown }): string | undefined {
  if (key.type === "Identifier") return key.name as string;
  if (key.type === "StringLiteral" || key.type === "NumericLiteral") return String(key.value);
  return undefined;
}
