import { existsSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { readText, root } from "./read-blocks.ts";

const rows = readText("docs/contract-coverage.md")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\| ?(?:sentence|-{3})/.test(line));

/** The tests of a row: file and title. */
function testsOf(row: string): [file: string, title: string][] {
  return [...row.matchAll(/`(test\/[\w./-]+\.test\.ts)` "([^"]+)"/g)].map((match) => [match[1]!, match[2]!]);
}

const known = new Map<string, Set<string>>();

/** The titles that a file gives to its tests: texts that are the first argument of a call that begins with `test` or `it`. */
function titlesIn(file: string): Set<string> {
  const found = known.get(file) ?? new Set<string>();
  if (known.has(file)) return found;
  known.set(file, found);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:test|it)$/.test(nameOf(node.expression))) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) found.add(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readText(file), ts.ScriptTarget.Latest));
  return found;
}

/** `test` of `test(...)`, `test.each(...)(...)` and the like. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? nameOf(node.expression) : "";
}

describe("the coverage of the contract", () => {
  test("names a test for each sentence, in a file that there is, under a title that it has", () => {
    expect(rows.length).toBeGreaterThan(90);
    const wrong = rows.flatMap((row) => {
      const tests = testsOf(row);
      if (tests.length === 0) return [`no test: ${row}`];
      return tests
        .filter(([file, title]) => !existsSync(path.join(root, file)) || !titlesIn(file).has(title))
        .map(([file, title]) => `${file}: ${title}`);
    });
    expect(wrong).toEqual([]);
  });

  test("says nothing besides, and each sentence once in its section", () => {
    const odd = rows.filter((row) => !/^\| [^|]+ \| (?:`[^`|]+` "[^"|]+"(?:<br>)?)+ \|$/.test(row));
    expect(odd).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });
});
