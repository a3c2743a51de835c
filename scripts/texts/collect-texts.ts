import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "svelte/compiler";
import ts from "typescript";
import { projectRoot } from "../launch/project-root.ts";

/** One text that people read, with its place; values are shown as `{name}`. */
export interface Text {
  file: string;
  line: number;
  text: string;
}

/** Properties and attributes whose value is shown to people even if it is a single word. */
const shown =
  /^(summary|description|message|error|title|label|placeholder|alt|hint|help|empty|heading|text|aria-(label|description|valuetext|roledescription))$/;
/** Attributes and properties whose value is never read by people, although it may have spaces. */
const unread =
  /^(class|style|d|viewBox|points|transform|rel|sandbox|allow|accept|autocomplete|content|media|sizes|srcset|aria-(describedby|labelledby|controls))$/;
/** Calls whose text arguments are errors even if they are a single word. */
const raising = /(Error|Problem|Refusal|refuse|reject|describe|fail)$/;
/** Calls and tags whose literals are code, not text. */
const code =
  /^(sql|raw|css|html|import|require|querySelector(All)?|matchMedia|RegExp|test|prepare|execute|exec|closest|matches|dedent)$/;
const words = /\p{L}[\p{L}'’,;:]* +[\p{L}{"'(\d]/u;
const sql =
  /^\s*(SELECT|INSERT|UPDATE [\w{]+ SET|DELETE FROM|WITH [\w{]+|CREATE|ALTER|PRAGMA|WHERE|AND|ORDER BY|LEFT JOIN)\b/;

function isText(text: string, isShown: boolean): boolean {
  if (sql.test(text)) return false;
  return isShown ? /\p{L}{2}/u.test(text) : words.test(text);
}

/** The name of what is called: `AppError` of `new AppError(...)`, `describe` of `z.string().describe(...)`. */
function calledName(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : node.kind === ts.SyntaxKind.ImportKeyword ? "import" : "";
}

/** What a string, a template or a sum of them says; undefined for every other expression. */
function literalText(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, span) => `${text}{${span.expression.getText(source)}}${span.literal.text}`,
      node.head.text,
    );
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [literalText(node.left, source), literalText(node.right, source)];
  if (left === undefined && right === undefined) return undefined;
  return (left ?? `{${node.left.getText(source)}}`) + (right ?? `{${node.right.getText(source)}}`);
}

/** Whether the place of a literal says that it is shown, that it is not, or neither (undefined). */
function placeOf(node: ts.Node, source: ts.SourceFile): boolean | undefined {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return false;
  if (ts.isTaggedTemplateExpression(parent)) return false;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    const name = calledName(parent.expression);
    if (code.test(name)) return false;
    return raising.test(name) && (!ts.isNewExpression(parent) || parent.arguments?.at(-1) === node) ? true : undefined;
  }
  if (!ts.isPropertyAssignment(parent) || parent.initializer !== node) return undefined;
  const name = ts.isIdentifier(parent.name) || ts.isStringLiteral(parent.name) ? parent.name.text : "";
  if (unread.test(name)) return false;
  return shown.test(name) || /(^|[-/])texts\.ts$/.test(source.fileName) || undefined;
}

/** The texts of one TypeScript source; `firstLine` is where it begins in its file. */
export function textsOfTypeScript(file: string, content: string, firstLine = 1): Text[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const texts: Text[] = [];
  function visit(node: ts.Node): void {
    if (ts.isTaggedTemplateExpression(node) && code.test(calledName(node.tag))) return;
    const text = literalText(node, source);
    const place = text === undefined ? undefined : placeOf(node, source);
    if (text !== undefined && place !== false && isText(text, place === true)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + firstLine;
      texts.push({ file, line, text });
    }
    if (text === undefined || ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
  }
  visit(source);
  return texts;
}

/** A node of Svelte's syntax tree, as far as the walk needs it. */
interface SvelteNode {
  type: string;
  name?: string;
  data?: string;
  start: number;
  end: number;
}

const isNode = (value: unknown): value is SvelteNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The texts of one Svelte component: its markup, its attributes, and the literals of its script and expressions. */
export function textsOfSvelte(file: string, content: string): Text[] {
  const texts: Text[] = [];
  const lineAt = (offset: number) => content.slice(0, offset).split("\n").length;
  function visit(node: SvelteNode, attribute?: string): void {
    if (node.type === "StyleSheet" || (attribute !== undefined && unread.test(attribute))) return;
    if (node.type === "Text") {
      const isShown = attribute === undefined || shown.test(attribute);
      const text = (node.data ?? "").trim();
      if (isText(text, isShown)) texts.push({ file, line: lineAt(node.start + (node.data ?? "").search(/\S/)), text });
      return;
    }
    if (/^(Literal|TemplateLiteral|BinaryExpression)$/.test(node.type)) {
      const inner = textsOfTypeScript(file, `(${content.slice(node.start, node.end)})`, lineAt(node.start));
      texts.push(...inner);
      return;
    }
    const inside = node.type === "Attribute" ? node.name : attribute;
    for (const [key, child] of Object.entries(node)) {
      if (/^(css|source|typeAnnotation|leadingComments|trailingComments|comments|options)$/.test(key)) continue;
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each, inside);
    }
  }
  visit(parse(content, { modern: true }) as unknown as SvelteNode);
  return texts.sort((a, b) => a.line - b.line);
}

/** The texts of the exceptions that a Python source raises. */
export function textsOfPython(file: string, content: string): Text[] {
  const texts: Text[] = [];
  for (const raise of content.matchAll(
    /^[ \t]*(?:raise|return|die|print)\b.*(?:\n(?![ \t]*$)(?=[ \t]+["'fr)]).*)*/gm,
  )) {
    const literals = [...raise[0].matchAll(/f?("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g)].map((match) => match[1]);
    const text = literals.map((literal) => literal?.slice(1, -1)).join("");
    const line = content.slice(0, raise.index).split("\n").length;
    if (isText(text, /\braise\b/.test(raise[0]))) texts.push({ file, line, text });
  }
  return texts;
}

function textsOf(file: string): Text[] {
  const content = readFileSync(path.join(projectRoot, file), "utf8");
  if (file.endsWith(".svelte")) return textsOfSvelte(file, content);
  return file.endsWith(".py") ? textsOfPython(file, content) : textsOfTypeScript(file, content);
}

const find = (...patterns: string[]): string[] => globSync(patterns, { cwd: projectRoot }).sort();

/** Every error, API description and log line of the service, its workers and its scripts. */
export function collectServiceTexts(): Text[] {
  const files = find("src/**/*.ts", "workers/**/*.ts", "workers/plugin-host/python/**/*.py", "scripts/**/*.ts");
  return files.filter((file) => !file.startsWith("src/ui/")).flatMap(textsOf);
}

/** Every English text of the user interface. */
export function collectUiTexts(): Text[] {
  return find("src/ui/**/*.{ts,svelte}")
    .filter((file) => !file.startsWith("src/ui/languages/"))
    .flatMap(textsOf);
}
