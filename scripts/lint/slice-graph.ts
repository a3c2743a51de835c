import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { sliceOf, targetOf } from "./slice-order.ts";

export interface ValueImport {
  file: string;
  target: string;
}

/** Imports of values between slices, in the given files of src/. Paths are relative to `root`, with forward slashes. */
export function valueImports(root: string, files: readonly string[]): ValueImport[] {
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest);
    return source.statements.flatMap((statement): ValueImport[] => {
      const target = targetOfStatement(file, statement);
      const isCrossing = target !== undefined && sliceOf(target) !== undefined && sliceOf(target) !== sliceOf(file);
      return isCrossing ? [{ file, target }] : [];
    });
  });
}

function targetOfStatement(file: string, statement: ts.Statement): string | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const { moduleSpecifier } = statement;
  if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || importsTypesOnly(statement)) return undefined;
  return targetOf(file, moduleSpecifier.text);
}

function importsTypesOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

export interface GraphFigures {
  /** Ordered pairs of slices where the first imports values of the second. The floor and `compose` are not counted. */
  pairs: number;
  /** Pairs that import each other. */
  mutual: number;
  /** Slices in the largest set that all reach each other. */
  largestCycle: number;
  /** Files that other slices import, but for schema.ts and tables.ts. */
  sharedFiles: number;
}

const uncounted = new Set(["lib", "shared", "db", "http", "compose"]);

export function measureGraph(imports: readonly ValueImport[]): GraphFigures {
  const reached = new Map<string, Set<string>>();
  const sharedFiles = new Set<string>();
  for (const { file, target } of imports) {
    const [from, to] = [sliceOf(file), sliceOf(target)!];
    if (from === undefined || uncounted.has(from) || uncounted.has(to)) continue;
    reached.set(from, (reached.get(from) ?? new Set()).add(to));
    if (!/\/(?:schema|tables)\.ts$/.test(target)) sharedFiles.add(target);
  }
  const pairs = [...reached].flatMap(([from, targets]) => [...targets].map((to) => [from, to] as const));
  const mutual = pairs.filter(([from, to]) => from < to && reached.get(to)?.has(from)).length;
  const all = new Map([...reached.keys()].map((slice) => [slice, closureOf(slice, reached)]));
  const cycles = [...all].map(([slice, closure]) => [...closure].filter((other) => all.get(other)?.has(slice)).length);
  return { pairs: pairs.length, mutual, largestCycle: Math.max(1, ...cycles), sharedFiles: sharedFiles.size };
}

function closureOf(slice: string, reached: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const closure = new Set<string>();
  const waiting = [slice];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const target of reached.get(next) ?? []) {
      if (closure.has(target)) continue;
      closure.add(target);
      waiting.push(target);
    }
  }
  return closure;
}
