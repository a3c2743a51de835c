import type { PluginType } from "../../../src/plugins/plugin-host.ts";
import {
  commentBefore,
  keyName,
  type ClassNode,
  type Declarations,
  type ExpressionNode,
  type FunctionNode,
  type ObjectNode,
  type SourceFile,
} from "./syntax.ts";

interface Place {
  line?: number;
  column?: number;
}

/** An exported class or object that is a plugin. */
export interface FoundPlugin {
  type: PluginType;
  /** `default`, or the name of the export. */
  exported: string;
  node: ClassNode | ObjectNode;
  place: Place;
}

export interface FoundFunction {
  name: string;
  node: FunctionNode;
  comment: string;
  place: Place;
}

const typeOfName: Record<string, PluginType> = { Tools: "tools", Pipe: "pipe", Filter: "filter", Action: "action" };

/** All plugins of a module; a valid source has exactly one. */
export function findPlugins(file: SourceFile, declarations: Declarations): FoundPlugin[] {
  const found: FoundPlugin[] = [];
  const add = (exported: string, name: string | undefined, node: object | null | undefined) => {
    const plain = withoutTypes(node as ExpressionNode | ClassNode | null | undefined);
    if (plain?.type !== "ClassDeclaration" && plain?.type !== "ClassExpression" && plain?.type !== "ObjectExpression") {
      return;
    }
    const type =
      typeOfName[name ?? ""] ??
      (exported === "default" ? typeByFunctions(plain as ClassNode, declarations) : undefined);
    if (type) found.push({ type, exported, node: plain as ClassNode | ObjectNode, place: placeOf(plain) });
  };
  const declared = (name: string) => {
    for (const statement of file.program.body) {
      const inner = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      if (inner?.type === "ClassDeclaration" && inner.id?.name === name) return inner;
      if (inner?.type !== "VariableDeclaration") continue;
      const variable = inner.declarations.find(({ id }) => id.type === "Identifier" && id.name === name);
      if (variable) return variable.init;
    }
    return undefined;
  };
  for (const statement of file.program.body) {
    if (statement.type === "ExportDefaultDeclaration") {
      const { declaration } = statement;
      if (declaration.type === "Identifier") add("default", declaration.name, declared(declaration.name));
      else add("default", nameOf(declaration), declaration);
    }
    if (statement.type !== "ExportNamedDeclaration" || statement.source) continue;
    if (statement.declaration?.type === "ClassDeclaration") {
      add(statement.declaration.id?.name ?? "", statement.declaration.id?.name, statement.declaration);
    }
    if (statement.declaration?.type === "VariableDeclaration") {
      for (const { id, init } of statement.declaration.declarations) {
        if (id.type === "Identifier") add(id.name, id.name, init);
      }
    }
    for (const specifier of statement.specifiers) {
      if (specifier.type !== "ExportSpecifier") continue;
      const exported = keyName(specifier.exported) ?? "";
      const local = keyName(specifier.local) ?? "";
      add(exported, exported === "default" ? local : exported, declared(local));
    }
  }
  return found;
}

/**
 * The functions that a plugin offers: public methods, including inherited ones of the same module, and properties that
 * are functions.
 */
export function publicFunctions({ node }: Pick<FoundPlugin, "node">, declarations: Declarations): FoundFunction[] {
  const functions =
    node.type === "ObjectExpression" ? functionsOfObject(node) : functionsOfClass(node, declarations, 0);
  const named = functions.filter(({ name }) => !name.startsWith("_") && name !== "constructor");
  return [...new Map(named.map((each) => [each.name, each])).values()];
}

function functionsOfClass(node: ClassNode, declarations: Declarations, depth: number): FoundFunction[] {
  const parent = node.superClass?.type === "Identifier" ? declarations.get(node.superClass.name) : undefined;
  const inherited =
    parent?.type === "ClassDeclaration" && depth < 8 ? functionsOfClass(parent, declarations, depth + 1) : [];
  const own = node.body.body.flatMap((member): FoundFunction[] => {
    if (member.type !== "ClassMethod" && member.type !== "ClassProperty") return [];
    if (member.static || member.computed || isHidden(member.accessibility)) return [];
    if (member.type === "ClassMethod" && (member.kind !== "method" || !member.body)) return [];
    const name = keyName(member.key);
    const code = member.type === "ClassMethod" ? member : functionOf(member.value);
    return name !== undefined && code
      ? [{ name, node: code, comment: commentBefore(member), place: placeOf(member) }]
      : [];
  });
  return [...inherited, ...own];
}

function functionsOfObject(node: ObjectNode): FoundFunction[] {
  return node.properties.flatMap((property): FoundFunction[] => {
    if (property.type === "SpreadElement" || property.computed) return [];
    if (property.type === "ObjectMethod" && property.kind !== "method") return [];
    const name = keyName(property.key);
    const code = property.type === "ObjectMethod" ? property : functionOf(property.value);
    return name !== undefined && code
      ? [{ name, node: code, comment: commentBefore(property), place: placeOf(property) }]
      : [];
  });
}

function isHidden(accessibility: string | null | undefined): boolean {
  return accessibility === "private" || accessibility === "protected";
}

function functionOf(value: { type: string } | null | undefined): FunctionNode | undefined {
  return value?.type === "ArrowFunctionExpression" || value?.type === "FunctionExpression"
    ? (value as FunctionNode)
    : undefined;
}

/** A default export without a telling name is what its functions say. */
function typeByFunctions(node: ClassNode | ObjectNode, declarations: Declarations): PluginType {
  const names = new Set(publicFunctions({ node }, declarations).map(({ name }) => name));
  if (names.has("pipe")) return "pipe";
  if (names.has("inlet") || names.has("outlet") || names.has("stream")) return "filter";
  return names.has("action") ? "action" : "tools";
}

function nameOf(node: object): string | undefined {
  const id = "id" in node ? (node.id as { type: string; name?: string } | null) : null;
  return id?.type === "Identifier" ? id.name : undefined;
}

function withoutTypes<T extends { type: string }>(node: T | null | undefined): T | null | undefined {
  const isWrapped = node?.type === "TSAsExpression" || node?.type === "TSSatisfiesExpression";
  return isWrapped ? withoutTypes((node as unknown as { expression: T }).expression) : node;
}

function placeOf(node: { loc?: { start: { line: number; column: number } } | null | undefined }): Place {
  return node.loc ? { line: node.loc.start.line, column: node.loc.start.column + 1 } : {};
}
