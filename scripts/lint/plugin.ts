import path from "node:path";
import { findBoundaryBreach } from "./import-boundaries.ts";

/** The parts of oxlint's plugin interface (ESLint's shape) that these rules use. */
interface RuleContext {
  filename: string;
  cwd: string;
  report(problem: { message: string; node: unknown }): void;
}
interface ImportNode {
  source: { value: unknown } | null;
  importKind?: "value" | "type";
  exportKind?: "value" | "type";
  specifiers?: { type: string; importKind?: "value" | "type" }[];
}

const importBoundaries = {
  create(context: RuleContext) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join("/");
    const check = (node: ImportNode) => {
      const specifier = node.source?.value;
      if (typeof specifier !== "string") return;
      const message = findBoundaryBreach(file, specifier, importsTypesOnly(node));
      if (message !== undefined) context.report({ message, node });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

function importsTypesOnly({ importKind, exportKind, specifiers = [] }: ImportNode): boolean {
  if (importKind === "type" || exportKind === "type") return true;
  return specifiers.length > 0 && specifiers.every((specifier) => specifier.importKind === "type");
}

const zodNamespace = {
  create(context: RuleContext) {
    return {
      ImportDeclaration(node: ImportNode) {
        if (node.source?.value !== "zod" || node.importKind === "type") return;
        if (node.specifiers?.every(({ type }) => type === "ImportNamespaceSpecifier")) return;
        context.report({
          message: 'Use `import * as z from "zod"`: the named import bundles three times as much.',
          node,
        });
      },
    };
  },
};

export default {
  meta: { name: "parley" },
  rules: { "import-boundaries": importBoundaries, "zod-namespace": zodNamespace },
};
