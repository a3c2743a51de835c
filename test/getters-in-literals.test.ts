import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "@babel/parser";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

/** What rarely happens may have them: what SCIM looks for by a name of its provider, and what a plugin asks for. */
const excepted = ["src/scim/users/user-attributes.ts", "workers/plugin-host/javascript/create-runner.ts"];

interface Node {
  type: string;
  kind?: string;
  loc?: { start: { line: number } };
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each);
  else if (typeof value === "object" && value !== null) {
    if ("type" in value) yield value as Node;
    for (const [name, each] of Object.entries(value)) if (name !== "loc") yield* nodesOf(each);
  }
}

/** The engine keeps each of them, with all that it sees, until the next full collection (ARCHITECTURE.md, "Measured facts"). */
test("no object literal of the service has a getter: a class or a method has it", () => {
  const files = globSync("{src,workers}/**/*.ts", { cwd: root, exclude: ["src/ui/**"] });
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    if (!/\bget \w+\(\)/.test(text)) return [];
    const { program } = parse(text, { sourceType: "module", plugins: ["typescript"] });
    const getters = [...nodesOf(program)].filter(({ type, kind }) => type === "ObjectMethod" && kind === "get");
    return getters.map(({ loc }) => ({ file, line: loc?.start.line }));
  });
  expect(found.filter(({ file }) => !excepted.includes(file))).toEqual([]);
  expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(excepted);
});
